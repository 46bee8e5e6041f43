import type { RobotDescriptor } from "../../../robots/descriptor.js";
import type { Physics } from "../physics/physics.js";
import { bodyPose } from "./object-pose.js";
import type { ManipulationWorld } from "./world.js";

/** Sets the robot's joints and the bodies of a file that the episode moves. Only done at reset. */
export function placeAll(physics: Physics, { robot, joints, objects }: ManipulationWorld): void {
  placeRobot(physics, robot, joints);
  for (const { name, centreInBody, isMoved, position, rotation_wxyz } of objects) {
    if (!centreInBody || !isMoved) continue;
    physics.setFreePose(name, bodyPose({ position, rotation_wxyz }, centreInBody));
  }
  physics.forward();
}

function placeRobot(physics: Physics, robot: RobotDescriptor, joints: readonly number[]): void {
  const placed = new Map<string, number>();
  for (const [i, dof] of robot.dofs.entries()) {
    const value = joints[i] ?? 0;
    for (const joint of dof.joints) placed.set(joint, value / dof.joints.length);
    const actuator = robot.model?.actuators[i];
    if (actuator !== undefined) physics.setControl(actuator, value);
  }
  placeCoupled(physics, placed);
  for (const [joint, value] of placed) physics.setJoint(joint, value);
}

/**
 * Places joints that an equality constraint couples to a placed one, such as the second finger. Otherwise the
 * constraint would pull both to the middle.
 */
function placeCoupled(physics: Physics, placed: Map<string, number>): void {
  const couplings = physics.inspect().couplings();
  for (let before = -1; before !== placed.size; ) {
    before = placed.size;
    for (const { joint, of, value, back } of couplings) {
      const [own, other] = [placed.get(joint), placed.get(of)];
      if (own === undefined && other !== undefined) placed.set(joint, value(other));
      const inverse = own !== undefined && other === undefined ? back(own) : undefined;
      if (inverse !== undefined) placed.set(of, inverse);
    }
  }
}
