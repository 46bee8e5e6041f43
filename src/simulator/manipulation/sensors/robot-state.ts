import type { Pose3 } from "../../../core/interfaces/manipulation-view.js";
import { GRASP_N } from "../../../core/rules/predicates/grasped.js";
import type { RobotDescriptor } from "../../../robots/descriptor.js";
import { drawerBox } from "../fixtures/drawer.js";
import { fixtureNames } from "../fixtures/names.js";
import type { Physics } from "../physics/physics.js";
import { objectPose } from "../world/object-pose.js";
import type { ManipulationWorld } from "../world/world.js";

/** The robot's part of a step record and of observations. */
export interface RobotState {
  /** One value per degree of freedom. */
  readonly qpos: readonly number[];
  readonly qvel: readonly number[];
  /** [x, y, z, qw, qx, qy, qz] */
  readonly ee_pose: readonly number[];
  /**
   * Share of the range of the gripper's joint, from 0 (closed) to 1 (open), so it does not depend on the robot.
   * Undefined without a gripper.
   */
  readonly gripper_state: number | undefined;
}

export function robotState(physics: Physics, robot: RobotDescriptor): RobotState {
  const { model } = robot;
  if (!model) throw new Error(`the robot ${robot.robotType} has no model`);
  const qpos = robot.dofs.map(({ joints }) => physics.jointSum(joints));
  const { position, rotation_wxyz } = physics.site(model.endEffectorSite);
  return {
    qpos,
    qvel: robot.dofs.map(({ joints }) => physics.jointVelocitySum(joints)),
    ee_pose: [...position, ...rotation_wxyz],
    gripper_state: openingOf(robot, qpos),
  };
}

function openingOf(
  { model, gripperDof }: RobotDescriptor,
  qpos: readonly number[],
): number | undefined {
  if (!model?.gripper || gripperDof === undefined) return undefined;
  const { open, closed } = model.gripper;
  return ((qpos[gripperDof] ?? 0) - closed) / (open - closed);
}

/** Poses of the world's objects, and of the drawers of its furniture that move, by name. */
export function poseList(
  physics: Physics,
  { objects, fixtures }: ManipulationWorld,
): Readonly<Record<string, Pose3>> {
  const drawers = fixtures.flatMap((spec) => {
    if (spec.furniture === undefined) return [];
    const box = { name: fixtureNames(spec.name).moving, centreInBody: drawerBox(spec).centreM };
    return [[spec.name, objectPose(physics, box)] as const];
  });
  return Object.fromEntries([
    ...objects.map((spec) => [spec.name, objectPose(physics, spec)] as const),
    ...drawers,
  ]);
}

/** Whether both fingers press on the same object, as in the predicate `grasped` within one step. */
export function holdsObject(
  physics: Physics,
  { robot, objects }: Pick<ManipulationWorld, "robot" | "objects">,
): boolean {
  const fingers = robot.model?.gripper?.fingers;
  if (!fingers) return false;
  return objects.some(
    ({ name }) =>
      physics.pressure(fingers[0], name) >= GRASP_N &&
      physics.pressure(fingers[1], name) >= GRASP_N,
  );
}
