import { DataError } from "../../../core/errors.js";
import { suggestion } from "../../../core/registry.js";
import type { RobotDescriptor } from "../../../robots/descriptor.js";
import type { ElementKind } from "../physics/names.js";
import type { Physics } from "../physics/physics.js";

/** @throws DataError if a model lacks an element that the robot's descriptor names; cameras may be missing */
export function checkRobot(physics: Physics, robot: RobotDescriptor, where: string): void {
  const { robotType, dofs, model } = robot;
  const need = (kind: ElementKind, name: string, what: string) => {
    if (physics.has(kind, name)) return;
    throw new DataError(
      "robot_not_in_model",
      `the robot ${robotType} uses the ${kind} "${name}" as ${what}, but the model does not have it`,
      { where, hint: suggestion(name, physics.names(kind)) },
    );
  };
  const inspector = physics.inspect();
  for (const [i, { name, joints }] of dofs.entries()) {
    for (const joint of joints) {
      need("joint", joint, `a joint of ${name}`);
      const { type } = inspector.joint(joint);
      if (type === "hinge" || type === "slide") continue;
      throw new DataError(
        "robot_not_in_model",
        `the joint "${joint}" of ${name} of the robot ${robotType} is a ${type} joint`,
        { where, hint: "degrees of freedom need hinge or slide joints" },
      );
    }
    const actuator = model?.actuators[i];
    if (actuator === undefined) continue;
    need("actuator", actuator, `the actuator of ${name}`);
    if (inspector.isServo(actuator)) continue;
    throw new DataError(
      "robot_not_in_model",
      `the actuator "${actuator}" of ${name} of the robot ${robotType} is not a position servo`,
      { where, hint: "make it a <position> actuator" },
    );
  }
  if (!model) return;
  need("site", model.endEffectorSite, "its end effector");
  for (const geom of model.gripper.fingers.flat()) need("geom", geom, "part of a finger");
}
