import { DataError } from "../../../core/errors.js";
import { suggestion } from "../../../core/registry.js";
import type { RobotDescriptor } from "../../../robots/descriptor.js";
import type { ElementKind } from "../physics/names.js";
import type { Physics } from "../physics/physics.js";
import { driveMisfits, type Misfit } from "./check-drives.js";

/** @throws DataError with all elements of the robot's descriptor that the model lacks; cameras may be missing */
export function checkRobot(physics: Physics, robot: RobotDescriptor, where: string): void {
  const { robotType, dofs, model } = robot;
  const misfits: Misfit[] = [];
  const need = (kind: ElementKind, name: string, what: string): boolean => {
    if (physics.has(kind, name)) return true;
    misfits.push({
      problem: `the robot ${robotType} uses the ${kind} "${name}" as ${what}, but the model does not have it`,
      hint: suggestion(name, physics.names(kind)),
    });
    return false;
  };
  const inspector = physics.inspect();
  for (const [i, { name, joints }] of dofs.entries()) {
    for (const joint of joints) {
      if (!need("joint", joint, `a joint of ${name}`)) continue;
      const { type } = inspector.joint(joint);
      if (type === "hinge" || type === "slide") continue;
      misfits.push({
        problem: `the joint "${joint}" of ${name} of the robot ${robotType} is a ${type} joint`,
        hint: "degrees of freedom need hinge or slide joints",
      });
    }
    const actuator = model?.actuators[i];
    if (actuator !== undefined) need("actuator", actuator, `the actuator of ${name}`);
  }
  if (model) {
    need("site", model.endEffectorSite, "its end effector");
    for (const joint of model.base?.joints ?? []) need("joint", joint, "a joint of its base");
    for (const actuator of model.base?.actuators ?? [])
      need("actuator", actuator, "an actuator of its base");
    for (const part of model.gripper?.fingers.flat() ?? []) {
      if (!physics.has("body", part)) need("geom", part, "part of a finger");
    }
  }
  if (misfits.length === 0) misfits.push(...driveMisfits(physics, robot));
  const [first] = misfits;
  if (!first) return;
  const message = misfits.map(({ problem }) => problem).join("; ");
  throw new DataError("robot_not_in_model", message, { where, hint: first.hint });
}
