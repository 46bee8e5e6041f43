import type { MjModel } from "@mujoco/mujoco";
import { DataError } from "../../../core/errors.js";
import { suggestion } from "../../../core/registry.js";

export const ELEMENT_KINDS = ["joint", "body", "geom", "site", "actuator", "camera"] as const;
export type ElementKind = (typeof ELEMENT_KINDS)[number];

/** Fields of `MjModel` with the addresses of the names. */
const ADDRESS_FIELDS = {
  joint: "name_jntadr",
  body: "name_bodyadr",
  geom: "name_geomadr",
  site: "name_siteadr",
  actuator: "name_actuatoradr",
  camera: "name_camadr",
} as const satisfies Record<ElementKind, keyof MjModel>;

/**
 * A model's elements by name, read from MuJoCo's name table: `mj_name2id` takes 2 us, and the binding's `mj_id2name`
 * returns garbage for an element without a name.
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
    throw unknownElement(kind, name, this.all(kind), this.#where);
  }

  /** Empty for an element without a name. */
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
    const addresses: Int32Array = this.#model[ADDRESS_FIELDS[kind]];
    const list = Array.from(addresses, (start) =>
      decoder.decode(text.slice(start, text.indexOf(0, start))),
    );
    this.#names.set(kind, list);
    return list;
  }
}

export function unknownElement(
  kind: ElementKind,
  name: string,
  known: readonly string[],
  where: string,
): DataError {
  return new DataError("unknown_element", `the model has no ${kind} "${name}"`, {
    where,
    hint: suggestion(name, known),
  });
}
