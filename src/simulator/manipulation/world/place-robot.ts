import type { RobotDescriptor } from "../../../robots/descriptor.js";
import { controlAt, driveOf, isMotorDrive } from "../../../robots/drive.js";
import type { Physics } from "../physics/physics.js";
import { bodyPose } from "./object-pose.js";
import type { ManipulationWorld } from "./world.js";

/** Sets the robot's joints and the bodies of a file that the episode moves. Only done at reset. */
export function placeAll(physics: Physics, world: ManipulationWorld): void {
  const { robot, joints, objects, basePose, apartment } = world;
  placeRobot(physics, robot, joints);
  for (const [i, joint] of (robot.model?.base?.joints ?? []).entries()) {
    physics.setJoint(joint, basePose[i] ?? 0);
  }
  for (const { name, centreInBody, isMoved, position, rotation_wxyz } of objects) {
    const pose = { position, rotation_wxyz };
    if (centreInBody && isMoved) physics.setFreePose(name, bodyPose(pose, centreInBody));
    // The model of an apartment serves many episodes, so it has the objects elsewhere.
    else if (apartment && !centreInBody) physics.setFreePose(name, pose);
  }
  physics.forward();
}

function placeRobot(physics: Physics, robot: RobotDescriptor, joints: readonly number[]): void {
  for (const [i, dof] of robot.dofs.entries()) {
    const value = joints[i] ?? 0;
    const actuator = robot.model?.actuators[i];
    const drive = robot.model && driveOf(robot.model, dof);
    // A motor is controlled at each physics step.
    if (actuator === undefined || isMotorDrive(drive)) continue;
    physics.setControl(actuator, drive ? controlAt(drive, value) : value);
  }
  for (const [joint, value] of jointPositions(physics, robot, joints))
    physics.setJoint(joint, value);
}

/** The position of each joint of a robot, with those that are coupled to them. */
export function jointPositions(
  physics: Physics,
  robot: RobotDescriptor,
  dofs: readonly number[],
): ReadonlyMap<string, number> {
  const placed = new Map<string, number>();
  for (const [i, { joints }] of robot.dofs.entries()) {
    for (const joint of joints) placed.set(joint, (dofs[i] ?? 0) / joints.length);
  }
  placeCoupled(physics, placed);
  return placed;
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
