import type { MjModel } from "@mujoco/mujoco";
import type { Names } from "./names.js";

/** A body of a compiled model. */
export interface PhysicsBody {
  /** Unique in the model. */
  readonly name: string;
  /** The number of the body that it hangs on; the world's own is 0. */
  readonly parent: number;
}

/** Where a model's bodies are. */
export interface BodyPlaces {
  readonly positions: Float64Array;
  readonly rotations: Float64Array;
}

export function bodiesOf(model: MjModel, names: Names): readonly PhysicsBody[] {
  const taken = new Set(names.all("body"));
  return Array.from({ length: model.nbody }, (_, id) => {
    const own = names.name("body", id);
    return { name: own || madeName(id, taken), parent: model.body_parentid[id] };
  });
}

/** A file may have called another body so. */
function madeName(id: number, taken: ReadonlySet<string>): string {
  let name = `body_${id}`;
  while (taken.has(name)) name += "_";
  return name;
}
