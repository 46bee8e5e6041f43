import type { MjModel } from "@mujoco/mujoco";
import { DataError } from "../../core/errors.js";
import { suggestion } from "../../core/registry.js";
import type { Mujoco } from "./mujoco.js";

export type ElementKind = "joint" | "body" | "geom" | "site" | "actuator" | "camera";

/** A model's elements by name. Asking MuJoCo takes 2 us a name, so each kind is read once. */
export class Names {
  readonly #mujoco: Mujoco;
  readonly #model: MjModel;
  readonly #where: string;
  readonly #ids = new Map<ElementKind, ReadonlyMap<string, number>>();

  constructor(mujoco: Mujoco, model: MjModel, where: string) {
    this.#mujoco = mujoco;
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
    return this.#mujoco.mj_id2name(this.#model, this.#type(kind), id);
  }

  #of(kind: ElementKind): ReadonlyMap<string, number> {
    const known = this.#ids.get(kind);
    if (known) return known;
    const ids = new Map<string, number>();
    for (let id = 0; id < this.#count(kind); id++) {
      const name = this.name(kind, id);
      if (name) ids.set(name, id);
    }
    this.#ids.set(kind, ids);
    return ids;
  }

  #count(kind: ElementKind): number {
    const { njnt, nbody, ngeom, nsite, nactuator, ncam } = this.#model;
    return {
      joint: njnt,
      body: nbody,
      geom: ngeom,
      site: nsite,
      actuator: nactuator,
      camera: ncam,
    }[kind];
  }

  #type(kind: ElementKind): number {
    const types = this.#mujoco.mjtObj;
    return {
      joint: types.mjOBJ_JOINT,
      body: types.mjOBJ_BODY,
      geom: types.mjOBJ_GEOM,
      site: types.mjOBJ_SITE,
      actuator: types.mjOBJ_ACTUATOR,
      camera: types.mjOBJ_CAMERA,
    }[kind].value;
  }
}
