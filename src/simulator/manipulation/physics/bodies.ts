import type { MjModel } from "@mujoco/mujoco";
import type { Names } from "./names.js";

/** A body of a compiled model. */
export interface PhysicsBody {
  /** Unique in the model. */
  readonly name: string;
  /** Index of the parent body; 0 is the world. */
  readonly parent: number;
}

/** Poses of all bodies: three numbers, and a quaternion [w, x, y, z], per body. */
export interface BodyPlaces {
  readonly positions: Float64Array;
  readonly rotations: Float64Array;
}

export function bodiesOf(model: MjModel, names: Names): readonly PhysicsBody[] {
  const taken = new Set(names.all("body"));
  return Array.from({ length: model.nbody }, (_, id) => {
    const own = names.name("body", id);
    return { name: own || generatedName(id, taken), parent: model.body_parentid[id] };
  });
}

/** Underscores are added while the model already has the name. */
function generatedName(id: number, taken: ReadonlySet<string>): string {
  let name = `body_${id}`;
  while (taken.has(name)) name += "_";
  return name;
}
