import { DataError } from "../../../core/errors.js";
import { suggestion } from "../../../core/registry.js";
import type { RobotDescriptor } from "../../../robots/descriptor.js";
import type { ElementKind } from "../physics/names.js";
import type { Physics } from "../physics/physics.js";

/** That a model has what a robot's descriptor names; cameras may be missing, and give no pictures then. */
export function checkRobot(physics: Physics, robot: RobotDescriptor, where: string): void {
  const { robotType, dofs, model } = robot;
  const need = (kind: ElementKind, name: string, what: string) => {
    if (physics.has(kind, name)) return;
    throw new DataError(
      "robot_not_in_model",
      `the robot ${robotType} names the ${kind} "${name}" as ${what}, and the model has none of that name`,
      { where, hint: suggestion(name, physics.names(kind)) },
    );
  };
  const anatomy = physics.anatomy();
  for (const [i, { name, joints }] of dofs.entries()) {
    for (const joint of joints) {
      need("joint", joint, `a joint of ${name}`);
      const { type } = anatomy.joint(joint);
      if (type === "hinge" || type === "slide") continue;
      throw new DataError(
        "robot_not_in_model",
        `the joint "${joint}" of ${name} of the robot ${robotType} is a ${type} joint, which has no single number`,
        { where, hint: "a degree of freedom is over hinge and slide joints" },
      );
    }
    const actuator = model?.actuators[i];
    if (actuator === undefined) continue;
    need("actuator", actuator, `what moves ${name}`);
    if (anatomy.isServo(actuator)) continue;
    throw new DataError(
      "robot_not_in_model",
      `the actuator "${actuator}" of ${name} of the robot ${robotType} is no position servo: its control is no place to go to`,
      { where, hint: "make it a <position> actuator" },
    );
  }
  if (!model) return;
  need("site", model.endEffectorSite, "its end effector");
  for (const geom of model.gripper.fingers.flat()) need("geom", geom, "a part of a finger");
}
