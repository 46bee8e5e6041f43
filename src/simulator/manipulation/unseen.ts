import type { MjcfElement } from "../../core/mjcf/element.js";

/**
 * A document without what only eyes tell from nothing: geoms that touch nothing and weigh nothing, and the meshes
 * that none but they have. Physics goes the same way to the last bit, and quicker: MuJoCo moves every geom of a
 * body at every step and measures it for collisions, whether it can collide or not.
 *
 * What another element names stays, and what is called one of `needed`.
 */
export function withoutUnfelt(document: MjcfElement, needed: readonly string[] = []): MjcfElement {
  const named = new Set([...needed, ...references(document)]);
  const felt = pruned(
    document,
    (element) => isUnfelt(element) && !named.has(String(element.attributes.name)),
  );
  const used = new Set(references(felt));
  return pruned(
    felt,
    ({ tag, attributes: { name } }) =>
      tag === "mesh" && name !== undefined && !used.has(String(name)),
  );
}

/** By its own attributes: what a class might say is not looked for. */
function isUnfelt({ tag, attributes: { contype, conaffinity, mass } }: MjcfElement): boolean {
  return tag === "geom" && [contype, conaffinity, mass].every((value) => value === 0);
}

/** Words that may be the names of other elements. */
function references({ attributes, children }: MjcfElement): readonly string[] {
  const own = Object.entries(attributes).flatMap(([key, value]) =>
    key !== "name" && typeof value === "string" ? value : [],
  );
  return [...own, ...children.flatMap(references)];
}

function pruned(element: MjcfElement, drop: (element: MjcfElement) => boolean): MjcfElement {
  const { tag, attributes, children } = element;
  return {
    tag,
    attributes,
    children: children.filter((child) => !drop(child)).map((child) => pruned(child, drop)),
  };
}
