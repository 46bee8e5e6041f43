import type { ActionSpace } from "../../../core/task/types.js";
import type { RobotDescriptor } from "../../../robots/descriptor.js";
import type { Physics } from "../physics/physics.js";
import type { Controller } from "./controller.js";
import { limitDof, modelOf } from "./dofs.js";
import { controlSpace, vectorOf } from "./space.js";

/** The action is where each degree of freedom should be: metres, radians. Beyond its limits means at them. */
export class JointPosition implements Controller {
  readonly actionSpace: ActionSpace;
  readonly #physics: Physics;
  readonly #robot: RobotDescriptor;
  readonly #actuators: readonly string[];

  constructor(physics: Physics, robot: RobotDescriptor, base?: ActionSpace) {
    this.#physics = physics;
    this.#robot = robot;
    this.#actuators = modelOf(robot).actuators;
    this.actionSpace = controlSpace(
      base,
      robot.dofs.map(({ limits }) => limits),
      robot.dofs.map(
        ({ name, joints, limits: [low, high] }) =>
          `${name}: ${joints.join(" + ")}, ${low} .. ${high}`,
      ),
    );
  }

  apply(action: readonly number[]): void {
    const values = vectorOf(this.actionSpace, action);
    for (const [dof, actuator] of this.#actuators.entries()) {
      this.#physics.setControl(actuator, limitDof(this.#robot, dof, values[dof] as number));
    }
  }
}
