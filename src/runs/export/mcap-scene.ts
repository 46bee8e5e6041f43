import { type BaseEpisode, referencePoints } from "../../core/episode/base.js";
import type { StepState } from "../../core/interfaces/step.js";
import { headingToQuatXyzw, type QuatWxyz } from "../../core/math/rotation.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { isRecord } from "../../core/record.js";
import { type Pose, pointZUp, poseZUp } from "./axes.js";
import { arrow, cube, label, line, sceneUpdate, sphere } from "./foxglove.js";

/** Frame of the robot's base. */
const BASE = "base_link";
/** Frame of the arm's end effector. */
const HAND = "end_effector";

const ORANGE = [0.95, 0.5, 0.1, 1] as const;
const BLUE = [0.2, 0.5, 0.95, 1] as const;
const GREEN = [0.2, 0.75, 0.3, 0.45] as const;
const GREY = [0.55, 0.55, 0.55, 1] as const;
const WHITE = [1, 1, 1, 1] as const;

/** Size of the cubes that stand for objects, in metres: trajectories do not contain object shapes. */
const OBJECT_SIZE = 0.05;

/** Poses of the robot and the objects by frame name. */
export function framesOf(state: StepState): Map<string, Pose> {
  const frames = new Map<string, Pose>();
  const robot = robotPose(state);
  if (robot) frames.set(robot.frame, robot.pose);
  for (const [name, { position, rotation_wxyz }] of Object.entries(state.objects ?? {})) {
    frames.set(objectFrame(name), { position, rotation: rotation_wxyz });
  }
  return frames;
}

/** Converts navigation poses to z up; manipulation poses already are. */
export function robotPose(
  state: StepState,
): { readonly frame: string; readonly pose: Pose } | undefined {
  const { position, rotation, heading, ee_pose } = state;
  if (position) {
    const turn = rotation ?? headingToQuatXyzw(heading ?? 0);
    return { frame: BASE, pose: poseZUp(position, turn) };
  }
  const [x, y, z, qw, qx, qy, qz] = ee_pose ?? [];
  if (x === undefined || y === undefined || z === undefined) return undefined;
  const hand: QuatWxyz = [qw ?? 1, qx ?? 0, qy ?? 0, qz ?? 0];
  return { frame: HAND, pose: { position: [x, y, z], rotation: hand } };
}

function objectFrame(name: string): string {
  return `object/${name}`;
}

/**
 * The static scene: the goal, the reference path, the path taken, and shapes that move with their frames. All in
 * one message, because a viewer that seeks receives only the last message of a topic.
 */
export function sceneOf(episode: BaseEpisode, states: readonly StepState[]): object {
  const first = states[0] ?? {};
  const robot = robotPose(first);
  const size = robot?.frame === BASE ? 0.5 : 0.12;
  const path = states.flatMap((state) => {
    const pose = robotPose(state)?.pose;
    return pose ? [pose.position] : [];
  });
  const reference = referencePoints(episode, "path").map(({ position }) => pointZUp(position));
  return sceneUpdate([
    ...goalsOf(episode).map(({ position, radius }, i) => ({
      id: `goal/${i}`,
      spheres: [sphere(position, radius, GREEN)],
      texts: [label("goal", position, WHITE)],
    })),
    ...(reference.length > 1
      ? [{ id: "reference_path", lines: [line(reference, size / 20, GREY)] }]
      : []),
    ...(path.length > 1 ? [{ id: "taken_path", lines: [line(path, size / 20, ORANGE)] }] : []),
    ...(robot ? [{ id: "robot", frame: robot.frame, arrows: [arrow(size, BLUE)] }] : []),
    ...Object.keys(first.objects ?? {}).map((name) => ({
      id: `object/${name}`,
      frame: objectFrame(name),
      cubes: [cube(OBJECT_SIZE, ORANGE)],
      texts: [label(name, [0, 0, OBJECT_SIZE], WHITE)],
    })),
  ]);
}

/** Radius in metres for goals without one. */
const GOAL_RADIUS = 0.1;

function goalsOf({ goals }: BaseEpisode): { readonly position: Vec3; readonly radius: number }[] {
  const { position, positions, target_location: place, success_criteria: criteria } = goals;
  const radius = typeof goals.radius === "number" ? goals.radius : GOAL_RADIUS;
  const alternatives = positions && positions.length > 0 ? positions : position ? [position] : [];
  if (alternatives.length > 0) {
    return alternatives.map((one) => ({ position: pointZUp(one), radius }));
  }
  const target = isRecord(place) ? place.position : undefined;
  const tolerance = isRecord(criteria) ? criteria.place_tolerance : undefined;
  if (!isVec3(target)) return [];
  return [{ position: target, radius: typeof tolerance === "number" ? tolerance : GOAL_RADIUS }];
}

function isVec3(value: unknown): value is Vec3 {
  return Array.isArray(value) && value.length === 3 && value.every(Number.isFinite);
}
