import type { MjcfElement } from "../../../core/mjcf/element.js";

/**
 * Removes visual geoms (without contacts and mass) and the meshes that only they use. The simulation stays the same to
 * the bit and becomes faster: at every step MuJoCo updates the poses and bounding volumes of all geoms, including those
 * that cannot collide.
 *
 * Geoms that another element refers to, or that are in `needed`, are kept.
 */
export function withoutVisualGeoms(
  document: MjcfElement,
  needed: readonly string[] = [],
): MjcfElement {
  const named = references(document, new Set(needed));
  const physical = without(document, (element) => isVisual(element) && !isNamed(element, named));
  const used = references(physical, new Set());
  return without(
    physical,
    (element) =>
      element.tag === "mesh" && element.attributes.name !== undefined && !isNamed(element, used),
  );
}

/** Only looks at the geom's own attributes, not at those of its default class. */
function isVisual({ tag, attributes: { contype, conaffinity, mass } }: MjcfElement): boolean {
  return tag === "geom" && contype === 0 && conaffinity === 0 && mass === 0;
}

function isNamed({ attributes: { name } }: MjcfElement, names: ReadonlySet<string>): boolean {
  return typeof name === "string" && names.has(name);
}

/** Collects all attribute values that may be names of other elements. */
function references({ attributes, children }: MjcfElement, found: Set<string>): Set<string> {
  for (const [key, value] of Object.entries(attributes)) {
    if (key !== "name" && typeof value === "string") found.add(value);
  }
  for (const child of children) references(child, found);
  return found;
}

function without(element: MjcfElement, drop: (element: MjcfElement) => boolean): MjcfElement {
  const { tag, attributes, children } = element;
  if (children.length === 0) return element;
  const kept = children.filter((child) => !drop(child)).map((child) => without(child, drop));
  return { tag, attributes, children: kept };
}
