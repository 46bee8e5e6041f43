import type { ActionSpace } from "../../../core/task/types.js";
import type { RobotDescriptor } from "../../../robots/descriptor.js";
import type { Physics } from "../physics/physics.js";
import type { Controller } from "./controller.js";
import { Servos } from "./servos.js";
import { controlSpace, vectorOf } from "./space.js";

/**
 * Sets the target of each degree of freedom (metres, radians), clamped to its limits: to the action's values, or,
 * with `isDelta`, to the last target plus the action's values. Deltas are added to targets and not to positions, so
 * that zeros hold still and a load does not make the robot creep.
 */
export class JointTargets implements Controller {
  readonly actionSpace: ActionSpace;
  readonly beforeStep: (() => void) | undefined;
  readonly #servos: Servos;
  readonly #isDelta: boolean;

  constructor(physics: Physics, robot: RobotDescriptor, isDelta: boolean, base?: ActionSpace) {
    this.#servos = new Servos(physics, robot);
    this.beforeStep = this.#servos.beforeStep;
    this.#isDelta = isDelta;
    this.actionSpace = controlSpace(
      base,
      robot.dofs.map(({ limits: [low, high] }) =>
        isDelta ? [low - high, high - low] : [low, high],
      ),
      robot.dofs.map(({ name, joints, limits: [low, high] }) =>
        isDelta
          ? `${name}: change of its target, kept in ${low} .. ${high}`
          : `${name}: ${joints.join(" + ")}, ${low} .. ${high}`,
      ),
    );
  }

  apply(action: readonly number[]): void {
    const values = vectorOf(this.actionSpace, action);
    for (const [dof, value] of values.entries()) {
      this.#servos.setTarget(dof, this.#isDelta ? this.#servos.target(dof) + value : value);
    }
  }

  hold(): readonly number[] {
    return Array.from({ length: this.actionSpace.size }, (_, dof) =>
      this.#isDelta ? 0 : this.#servos.target(dof),
    );
  }
}
