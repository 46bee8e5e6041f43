import type { MjModel } from "@mujoco/mujoco";
import type { GeomSet } from "./contacts.js";
import type { Names } from "./names.js";

/** Sets of geoms by name, each computed once. */
export class GeomSets {
  readonly #model: MjModel;
  readonly #names: Names;
  readonly #bodies = new Map<string, GeomSet>();
  readonly #lists = new WeakMap<readonly string[], GeomSet>();
  #fixed: GeomSet | undefined;

  constructor(model: MjModel, names: Names) {
    this.#model = model;
    this.#names = names;
  }

  /** Geoms by name. A name that no geom has is a body's, and stands for its geoms: those of meshes often have no name. */
  named(names: readonly string[]): GeomSet {
    const known = this.#lists.get(names);
    if (known) return known;
    const set = new Uint8Array(this.#model.ngeom);
    for (const name of names) {
      if (this.#names.has("geom", name) || !this.#names.has("body", name)) {
        set[this.#names.id("geom", name)] = 1;
      } else {
        for (const [geom, isPart] of this.ofBody(name).entries()) if (isPart) set[geom] = 1;
      }
    }
    this.#lists.set(names, set);
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

  /** Geoms that cannot move: those of the world body and of bodies without joints below it. */
  ofFixed(): GeomSet {
    if (this.#fixed) return this.#fixed;
    const welded: Int32Array = this.#model.body_weldid;
    const bodies: Int32Array = this.#model.geom_bodyid;
    const set = new Uint8Array(this.#model.ngeom);
    for (const [geom, owner] of bodies.entries()) if (welded[owner] === 0) set[geom] = 1;
    this.#fixed = set;
    return set;
  }
}
