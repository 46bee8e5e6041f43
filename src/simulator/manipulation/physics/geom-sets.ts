import type { MjModel } from "@mujoco/mujoco";
import type { GeomSet } from "./contacts.js";
import type { Names } from "./names.js";

/** Sets of geoms by name, each computed once. */
export class GeomSets {
  readonly #model: MjModel;
  readonly #names: Names;
  readonly #bodies = new Map<string, GeomSet>();
  readonly #lists = new WeakMap<readonly string[], GeomSet>();

  constructor(model: MjModel, names: Names) {
    this.#model = model;
    this.#names = names;
  }

  named(geoms: readonly string[]): GeomSet {
    const known = this.#lists.get(geoms);
    if (known) return known;
    const set = new Uint8Array(this.#model.ngeom);
    for (const geom of geoms) set[this.#names.id("geom", geom)] = 1;
    this.#lists.set(geoms, set);
    return set;
  }

  /** Geoms of a body and its descendants; of the world body only its own geoms. */
  ofBody(body: string): GeomSet {
    const known = this.#bodies.get(body);
    if (known) return known;
    const root = this.#names.id("body", body);
    const parents: Int32Array = this.#model.body_parentid;
    const bodies: Int32Array = this.#model.geom_bodyid;
    const set = new Uint8Array(this.#model.ngeom);
    for (const [geom, owner] of bodies.entries()) {
      let at = owner;
      while (at !== root && at !== 0) at = parents[at] as number;
      if (owner === root || (at === root && root !== 0)) set[geom] = 1;
    }
    this.#bodies.set(body, set);
    return set;
  }
}
