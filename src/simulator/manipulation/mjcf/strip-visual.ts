import type { MjcfElement } from "../../../core/mjcf/element.js";

/**
 * A document without what only eyes tell from nothing: geoms that touch nothing and weigh nothing, and the meshes
 * that none but they have. Physics goes the same way to the last bit, and quicker: at every step MuJoCo moves all
 * geoms of a body, and for collisions it measures all of them, also those that cannot collide.
 *
 * What another element names stays, and what is called one of `needed`.
 */
export function withoutUnfelt(document: MjcfElement, needed: readonly string[] = []): MjcfElement {
  const named = references(document, new Set(needed));
  const felt = without(document, (element) => isUnfelt(element) && !isNamed(element, named));
  const used = references(felt, new Set());
  return without(
    felt,
    (element) =>
      element.tag === "mesh" && element.attributes.name !== undefined && !isNamed(element, used),
  );
}

/** By its own attributes; what a class might say of it is not looked for. */
function isUnfelt({ tag, attributes: { contype, conaffinity, mass } }: MjcfElement): boolean {
  return tag === "geom" && contype === 0 && conaffinity === 0 && mass === 0;
}

function isNamed({ attributes: { name } }: MjcfElement, names: ReadonlySet<string>): boolean {
  return typeof name === "string" && names.has(name);
}

/** Adds all words that may be names of other elements. */
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
