import type { Vec3 } from "../../../core/math/vec3.js";
import type { Physics } from "../../manipulation/physics/physics.js";
import type { Mocap } from "../description.js";
import { type PartController, scaled } from "./part-controller.js";

/**
 * Moves a mocap body by the action at the start of a control step. The solver then pulls the hand, which is welded to it.
 *
 * Gymnasium-Robotics starts from the pose of the hand and adds the components of a quaternion; Meta-World starts from
 * the mocap body, keeps it in a box and sets its rotation.
 */
export class MocapController implements PartController {
  readonly #physics: Physics;
  readonly #config: Mocap;

  constructor(physics: Physics, config: Mocap) {
    this.#physics = physics;
    this.#config = config;
  }

  setGoal(action: readonly number[]): void {
    const { body, from_body, rotation, bounds } = this.#config;
    const start =
      from_body === undefined ? this.#physics.mocap(body) : this.#physics.body(from_body);
    const move = scaled(action, this.#config);
    const [x, y, z] = start.position;
    const moved: Vec3 = [x + (move[0] ?? 0), y + (move[1] ?? 0), z + (move[2] ?? 0)];
    const [w, i, j, k] = rotation.quat_wxyz;
    const [sw, si, sj, sk] = start.rotation_wxyz;
    this.#physics.setMocap(body, {
      position: bounds ? clamped(moved, bounds) : moved,
      rotation_wxyz:
        rotation.type === "fixed" ? rotation.quat_wxyz : [sw + w, si + i, sj + j, sk + k],
    });
  }

  /** Returns no controls: a mocap body has no actuators. */
  run(): readonly number[] {
    return [];
  }
}

function clamped([x, y, z]: Vec3, [low, high]: NonNullable<Mocap["bounds"]>): Vec3 {
  const clamp = (value: number, i: number) =>
    Math.min(high[i] ?? value, Math.max(low[i] ?? value, value));
  return [clamp(x, 0), clamp(y, 1), clamp(z, 2)];
}
