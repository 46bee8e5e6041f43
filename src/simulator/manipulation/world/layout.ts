import type { RobotDescriptor } from "../../../robots/descriptor.js";
import { overTable } from "./overlap.js";
import type { FixtureSpec, TableSpec } from "./world.js";
import { turn } from "./yaw.js";

/*
 * Default places, within the robot's reach.
 */

type Point2 = readonly [x: number, y: number];
type BasePose = readonly [x: number, y: number, theta: number];

interface Workspace {
  /** Direction in which the arm reaches, relative to the base's +x. */
  readonly directionRad: number;
  /** Comfortable reach from the base. */
  readonly distanceM: number;
}

/** Stretch's arm extends to its right. */
const SIDEWAYS: Workspace = { directionRad: -Math.PI / 2, distanceM: 0.8 };
const AHEAD: Workspace = { directionRad: 0, distanceM: 0.6 };

function workspaceOf({ robotType }: RobotDescriptor): Workspace {
  return robotType.startsWith("stretch") ? SIDEWAYS : AHEAD;
}

export const TABLE_HEIGHT_M = 0.75;
export const TABLE_THICKNESS_M = 0.04;
/** Depth as seen from the robot, and length across. */
const TABLE_DEPTH_M = 0.6;
const TABLE_LENGTH_M = 1.2;
/** Minimum distance from the base to the table's edge. */
const TABLE_GAP_M = 0.3;

/** A table within reach, and below `goal` if given. */
export function defaultTable(robot: RobotDescriptor, base: BasePose, goal?: Point2): TableSpec {
  const { directionRad, distanceM } = workspaceOf(robot);
  const near = tableAt(base, base[2] + directionRad, distanceM);
  if (!goal || overTable(near, goal)) return near;
  const [dx, dy] = [goal[0] - base[0], goal[1] - base[1]];
  const distance = Math.max(Math.hypot(dx, dy), TABLE_GAP_M + TABLE_DEPTH_M / 2);
  return tableAt(base, Math.atan2(dy, dx), distance);
}

function tableAt([x, y]: BasePose, directionRad: number, distanceM: number): TableSpec {
  const [dx, dy] = turn(directionRad, distanceM, 0);
  return {
    position: [x + dx, y + dy, TABLE_HEIGHT_M],
    yawRad: directionRad,
    sizeM: [TABLE_DEPTH_M, TABLE_LENGTH_M, TABLE_THICKNESS_M],
  };
}

/** On the table, 20 cm beside the goal. */
export function defaultObjectPlace(table: TableSpec, goal?: Point2): Point2 {
  const { position, yawRad } = table;
  if (!goal) return [position[0], position[1]];
  const aside = [-0.2, 0.2].map((v): Point2 => {
    const [dx, dy] = turn(yawRad, 0, v);
    return [goal[0] + dx, goal[1] + dy];
  });
  return aside.find((point) => overTable(table, point, 0.05)) ?? [position[0], position[1]];
}

export const FIXTURES: Readonly<
  Record<FixtureSpec["kind"], Pick<FixtureSpec, "sizeM" | "range" | "damping" | "frictionLoss">>
> = {
  drawer: { sizeM: [0.4, 0.4, 0.2], range: 0.3, damping: 10, frictionLoss: 2 },
  door: { sizeM: [0.3, 0.4, 0.4], range: 1.57, damping: 1, frictionLoss: 0.3 },
};

/** Height of the centre of a front and of its handle. */
const FRONT_HEIGHT_M = 0.75;

export function defaultFixturePlace(
  robot: RobotDescriptor,
  [x, y, theta]: BasePose,
): Pick<FixtureSpec, "position" | "yawRad"> {
  const { directionRad, distanceM } = workspaceOf(robot);
  const yawRad = theta + directionRad;
  const [dx, dy] = turn(yawRad, distanceM, 0);
  return { position: [x + dx, y + dy, FRONT_HEIGHT_M], yawRad };
}
