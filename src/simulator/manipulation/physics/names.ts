import type { MjModel } from "@mujoco/mujoco";
import { DataError } from "../../../core/errors.js";
import { suggestion } from "../../../core/registry.js";

export const ELEMENT_KINDS = ["joint", "body", "geom", "site", "actuator", "camera"] as const;
export type ElementKind = (typeof ELEMENT_KINDS)[number];

/**
 * A model's elements by name, read from MuJoCo's table of names: asking it takes 2 us a name, and of an element
 * without one the binding's `mj_id2name` gives whatever stands at address 0.
 */
export class Names {
  readonly #model: MjModel;
  readonly #where: string;
  readonly #names = new Map<ElementKind, readonly string[]>();
  readonly #ids = new Map<ElementKind, ReadonlyMap<string, number>>();

  constructor(model: MjModel, where: string) {
    this.#model = model;
    this.#where = where;
  }

  has(kind: ElementKind, name: string): boolean {
    return this.#of(kind).has(name);
  }

  all(kind: ElementKind): readonly string[] {
    return [...this.#of(kind).keys()];
  }

  id(kind: ElementKind, name: string): number {
    const id = this.#of(kind).get(name);
    if (id !== undefined) return id;
    throw new DataError("unknown_element", `the model has no ${kind} "${name}"`, {
      where: this.#where,
      hint: suggestion(name, this.all(kind)),
    });
  }

  /** Empty for an element that has none. */
  name(kind: ElementKind, id: number): string {
    return this.#list(kind)[id] ?? "";
  }

  #of(kind: ElementKind): ReadonlyMap<string, number> {
    const known = this.#ids.get(kind);
    if (known) return known;
    const ids = new Map<string, number>();
    for (const [id, name] of this.#list(kind).entries()) if (name) ids.set(name, id);
    this.#ids.set(kind, ids);
    return ids;
  }

  #list(kind: ElementKind): readonly string[] {
    const known = this.#names.get(kind);
    if (known) return known;
    const text: Int8Array = this.#model.names;
    const decoder = new TextDecoder();
    const list = Array.from(this.#addresses(kind), (start) =>
      decoder.decode(text.slice(start, text.indexOf(0, start))),
    );
    this.#names.set(kind, list);
    return list;
  }

  #addresses(kind: ElementKind): Int32Array {
    switch (kind) {
      case "joint":
        return this.#model.name_jntadr;
      case "body":
        return this.#model.name_bodyadr;
      case "geom":
        return this.#model.name_geomadr;
      case "site":
        return this.#model.name_siteadr;
      case "actuator":
        return this.#model.name_actuatoradr;
      case "camera":
        return this.#model.name_camadr;
    }
  }
}
