import type { ActionSpace } from "../../../core/task/types.js";
import type { RobotDescriptor } from "../../../robots/descriptor.js";
import type { Physics } from "../physics/physics.js";
import type { Controller } from "./controller.js";
import { limitDof, modelOf } from "./dofs.js";
import { controlSpace, vectorOf } from "./space.js";

/**
 * The action is added, in metres and radians, to where each degree of freedom was last told to go, so that
 * zeros hold still and a load does not make the robot creep.
 */
export class JointDelta implements Controller {
  readonly actionSpace: ActionSpace;
  readonly #physics: Physics;
  readonly #robot: RobotDescriptor;
  readonly #actuators: readonly string[];

  constructor(physics: Physics, robot: RobotDescriptor, base?: ActionSpace) {
    this.#physics = physics;
    this.#robot = robot;
    this.#actuators = modelOf(robot).actuators;
    const widths = robot.dofs.map(({ limits: [low, high] }) => high - low);
    this.actionSpace = controlSpace(
      base,
      widths.map((width) => [-width, width] as const),
      robot.dofs.map(
        ({ name, limits: [low, high] }) =>
          `${name}: change of its target, kept in ${low} .. ${high}`,
      ),
    );
  }

  apply(action: readonly number[]): void {
    const changes = vectorOf(this.actionSpace, action);
    for (const [dof, actuator] of this.#actuators.entries()) {
      const target = this.#physics.control(actuator) + (changes[dof] as number);
      this.#physics.setControl(actuator, limitDof(this.#robot, dof, target));
    }
  }
}
