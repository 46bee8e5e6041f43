import type { BaseEpisode } from "../../../core/episode/base.js";
import { findRobot } from "../../../robots/catalog.js";
import { dofOf, type RobotDescriptor } from "../../../robots/descriptor.js";
import { episodeError, readTaskConfig } from "./task-config.js";

/** Metres or radians past a limit that a recording may have, because simulators' joint limits are soft. */
const SOFT_LIMIT = 1e-3;

/** The initial value of each degree of freedom: the episode's, else the robot's home pose. */
export function jointsOf(episode: BaseEpisode, robot: RobotDescriptor): readonly number[] {
  const joints = episode.startState.joint_positions;
  if (!joints) {
    return robot.model?.home ?? robot.dofs.map(({ limits: [low, high] }) => clamp(0, low, high));
  }
  const misfit = misfitOf(joints, robot);
  const made = otherRobot(episode, robot);
  if (made !== undefined && (misfit || isUnlike(robot, made))) {
    throw episodeError(
      episode,
      "start_state.joint_positions",
      `the episode was made for the robot ${made}, but the benchmark configures ${robot.robotType}, which these joint positions do not fit${misfit ? ` (${misfit.problem})` : ""}`,
      fixOf(made, robot),
    );
  }
  if (!misfit) return joints;
  throw episodeError(
    episode,
    `start_state.joint_positions${misfit.index === undefined ? "" : `.${misfit.index}`}`,
    misfit.problem,
    misfit.hint,
  );
}

/**
 * The robot that the episode was made for, if it is another one than the task's. The task's robot is used if
 * the joint positions fit it: Stretch RE1, for example, can run episodes of Stretch.
 */
export function otherRobot(episode: BaseEpisode, robot: RobotDescriptor): string | undefined {
  const { robot_config, robot_type } = readTaskConfig(episode);
  const made = robot_config?.robot_type ?? robot_type;
  return made === robot.robotType ? undefined : made;
}

/** Whether a robot is known to have other degrees of freedom, even if their number and ranges are alike. */
function isUnlike(robot: RobotDescriptor, otherType: string): boolean {
  const other = findRobot(otherType);
  return other?.dofs.some(({ name }, i) => name !== robot.dofs[i]?.name) ?? false;
}

function fixOf(made: string, { robotType }: RobotDescriptor): string {
  const others = `use episodes made for ${robotType}`;
  const wanted = findRobot(made);
  return wanted
    ? `set robot_type: ${made} and dof: ${dofOf(wanted)} in the task's config, or ${others}`
    : `${others}, or add the robot ${made} with a plugin and set robot_type: ${made} in the task's config`;
}

interface Misfit {
  /** Index of the first joint outside its range; undefined if the number of joints is wrong. */
  readonly index?: number;
  readonly problem: string;
  readonly hint?: string;
}

function misfitOf(joints: readonly number[], robot: RobotDescriptor): Misfit | undefined {
  const { dofs, robotType } = robot;
  if (joints.length !== dofOf(robot)) {
    return {
      problem: `${robotType} has ${dofOf(robot)} degrees of freedom, got ${joints.length} numbers`,
      hint: `expected in this order: ${dofs.map(({ name }) => name).join(", ")}`,
    };
  }
  for (const [index, { name, limits }] of dofs.entries()) {
    const value = joints[index] ?? 0;
    if (value >= limits[0] - SOFT_LIMIT && value <= limits[1] + SOFT_LIMIT) continue;
    return {
      index,
      problem: `${name} of ${robotType} must be between ${limits[0]} and ${limits[1]}, got ${value}`,
    };
  }
  return undefined;
}

function clamp(x: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, x));
}
