import type { RobotDescriptor } from "../../../robots/descriptor.js";
import type { Physics } from "../physics/physics.js";
import { bodyPose } from "./object-pose.js";
import type { ManipulationWorld } from "./world.js";

/** The only time that joints and bodies are set and not driven: the robot, and what the episode moves of a file. */
export function placeAll(physics: Physics, { robot, joints, objects }: ManipulationWorld): void {
  placeRobot(physics, robot, joints);
  for (const { name, middleInBody, isMoved, position, rotation_wxyz } of objects) {
    if (!middleInBody || !isMoved) continue;
    physics.setFreePose(name, bodyPose({ position, rotation_wxyz }, middleInBody));
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
  follow(physics, placed);
  for (const [joint, value] of placed) physics.setJoint(joint, value);
}

/**
 * Joints that an equality constraint ties to one that was placed, such as the second finger, go where it has
 * them; left behind, the constraint would pull both to the middle.
 */
function follow(physics: Physics, placed: Map<string, number>): void {
  const couplings = physics.anatomy().couplings();
  for (let before = -1; before !== placed.size; ) {
    before = placed.size;
    for (const { joint, of, value, back } of couplings) {
      const [own, other] = [placed.get(joint), placed.get(of)];
      if (own === undefined && other !== undefined) placed.set(joint, value(other));
      const behind = own !== undefined && other === undefined ? back(own) : undefined;
      if (behind !== undefined) placed.set(of, behind);
    }
  }
}
