import type { MjData, MjModel } from "@mujoco/mujoco";
import { highestM } from "./bounds.js";
import type { GeomSet } from "./contacts.js";
import { geomBodies } from "./geom-bodies.js";
import type { Names } from "./names.js";

/** Fixed geoms that are nowhere higher are the floor, or as flat as a carpet. */
const FLOOR_M = 0.02;

/** Sets of geoms by name, each computed once. */
export class GeomSets {
  readonly #model: MjModel;
  readonly #names: Names;
  /** The body of each geom. */
  readonly bodies: Int32Array;
  readonly #obstacles = new Map<string, GeomSet>();
  readonly #bodies = new Map<string, GeomSet>();
  readonly #lists = new WeakMap<readonly string[], GeomSet>();
  readonly #unchecked: ReadonlySet<number>;

  /** @param unchecked geoms that no set of a body has */
  constructor(model: MjModel, names: Names, unchecked: readonly string[]) {
    this.#model = model;
    this.#names = names;
    this.#unchecked = new Set(unchecked.map((name) => names.id("geom", name)));
    this.bodies = geomBodies(model, names);
  }

  /** Geoms by name. A name that no geom has is that of a body and selects its geoms, because mesh geoms often have no name. */
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

  /** Indices of the geoms of a body and its descendants that can touch others. */
  solid(body: string): readonly number[] {
    const { geom_contype, geom_conaffinity } = this.#model;
    return [...this.ofBody(body).entries()].flatMap(([geom, isPart]) =>
      isPart && (geom_contype[geom] || geom_conaffinity[geom]) ? [geom] : [],
    );
  }

  /** What is fixed to the ground, except the floor and these bodies, such as a robot on a pedestal. */
  obstacles(data: MjData, except: readonly string[]): GeomSet {
    const key = except.join(" ");
    const known = this.#obstacles.get(key);
    if (known) return known;
    const own = except.map((body) => this.ofBody(body));
    const set = Uint8Array.from({ length: this.#model.ngeom }, (_, geom) => {
      const isFixed = this.#model.body_weldid[this.bodies[geom] as number] === 0;
      const isOwn = own.some((body) => body[geom] === 1);
      return isFixed && !isOwn && highestM(this.#model, data, geom) > FLOOR_M ? 1 : 0;
    });
    this.#obstacles.set(key, set);
    return set;
  }

  /** Geoms of a body and its descendants; of the world body only its own geoms. */
  ofBody(body: string): GeomSet {
    const known = this.#bodies.get(body);
    if (known) return known;
    const root = this.#names.id("body", body);
    const parents: Int32Array = this.#model.body_parentid;
    const set = new Uint8Array(this.#model.ngeom);
    for (const [geom, owner] of this.bodies.entries()) {
      let at = owner;
      while (at !== root && at !== 0) at = parents[at] as number;
      const isPart = owner === root || (at === root && root !== 0);
      if (isPart && !this.#unchecked.has(geom)) set[geom] = 1;
    }
    this.#bodies.set(body, set);
    return set;
  }
}
