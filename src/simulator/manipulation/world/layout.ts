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
  /** Distance from the base to the table's edge, unless the goal is closer. */
  readonly gapM: number;
  /** What the robot is known to reach; undefined for robots of plugins. */
  readonly reach?: Reach | undefined;
}

interface Reach {
  /** Distances of a goal from the base: the expert solves a default episode at any of them, in any direction. */
  readonly distancesM: readonly [nearest: number, farthest: number];
  /** Lowest and highest height of the table's top. */
  readonly heightsM: readonly [lowest: number, highest: number];
}

/** Stretch's arm extends to its right; its base turns and moves by up to 0.5 m. Retracted, the hand ends 0.4 m away. */
const STRETCH: Workspace = {
  directionRad: -Math.PI / 2,
  distanceM: 0.8,
  gapM: 0.42,
  reach: { distancesM: [0.35, 1.1], heightsM: [0.1, 1] },
};
const AHEAD: Workspace = { directionRad: 0, distanceM: 0.6, gapM: 0.3 };
const PANDA: Workspace = {
  ...AHEAD,
  reach: { distancesM: [0.38, 0.73], heightsM: [0.55, 0.9] },
};

function workspaceOf({ robotType }: RobotDescriptor): Workspace {
  // One that drives comes to any goal.
  if (robotType === "stretch_mobile") return { ...STRETCH, reach: undefined };
  if (robotType.startsWith("stretch")) return STRETCH;
  return robotType === "panda" ? PANDA : AHEAD;
}

export const TABLE_HEIGHT_M = 0.75;
export const TABLE_THICKNESS_M = 0.04;
/** Depth as seen from the robot, and length across. */
const TABLE_DEPTH_M = 0.6;
const TABLE_LENGTH_M = 1.2;

/** Minimum distance from the base to the table's edge. */
const MIN_GAP_M = 0.29;
/** Goal and object are at least this far from the table's edges, so that the object does not stand over one. */
const MARGIN_M = 0.05;
/** A close goal's distance from the table's edge, with room for rounding. */
const GOAL_TO_EDGE_M = 0.06;
/** Distance of the object from its goal. */
const ASIDE_M = 0.2;
/** A goal this much above or below an object on the usual table is on that table. */
const SAME_HEIGHT_M = 0.02;

/** A table within reach, and below `goal` if given. */
export function defaultTable(
  robot: RobotDescriptor,
  base: BasePose,
  goal?: Point2,
  heightM = TABLE_HEIGHT_M,
): TableSpec {
  const { directionRad, distanceM, gapM } = workspaceOf(robot);
  const near = tableAt(base, base[2] + directionRad, distanceM, heightM);
  if (!goal || overTable(near, goal, MARGIN_M)) return near;
  const [dx, dy] = [goal[0] - base[0], goal[1] - base[1]];
  const distance = Math.hypot(dx, dy);
  const edge = Math.max(MIN_GAP_M, Math.min(gapM, distance - GOAL_TO_EDGE_M));
  const centre = Math.max(distance, edge + TABLE_DEPTH_M / 2);
  return tableAt(base, Math.atan2(dy, dx), centre, heightM);
}

/** The height of a table on which an object of this height has its centre at `goalZ`. */
export function defaultTableHeight(goalZ: number | undefined, objectHeightM: number): number {
  if (goalZ === undefined) return TABLE_HEIGHT_M;
  const height = goalZ - objectHeightM / 2;
  return Math.abs(height - TABLE_HEIGHT_M) <= SAME_HEIGHT_M ? TABLE_HEIGHT_M : height;
}

/** Why the robot cannot use a default table below a goal; undefined if it can, or its reach is unknown. */
export function beyondReach(
  robot: RobotDescriptor,
  base: BasePose,
  goal: Point2,
  tableHeightM: number,
): string | undefined {
  const { reach } = workspaceOf(robot);
  if (!reach) return undefined;
  const { robotType } = robot;
  const { distancesM, heightsM } = reach;
  // In centimetres, so that the error never shows a number within the limits.
  const distance = rounded(Math.hypot(goal[0] - base[0], goal[1] - base[1]));
  if (distance < distancesM[0] || distance > distancesM[1]) {
    const at = base.map(rounded).join(", ");
    return `the goal is ${distance} m from the robot's base at [${at}], but ${robotType} works at ${distancesM.join(" to ")} m`;
  }
  const height = rounded(tableHeightM);
  if (height < heightsM[0] || height > heightsM[1]) {
    return `a table below the goal would be ${height} m high, but ${robotType} works on tables of ${heightsM.join(" to ")} m`;
  }
  return undefined;
}

function rounded(x: number): number {
  return Math.round(x * 100) / 100;
}

function tableAt(
  [x, y]: BasePose,
  directionRad: number,
  distanceM: number,
  heightM: number,
): TableSpec {
  const [dx, dy] = turn(directionRad, distanceM, 0);
  return {
    position: [x + dx, y + dy, heightM],
    yawRad: directionRad,
    sizeM: [TABLE_DEPTH_M, TABLE_LENGTH_M, TABLE_THICKNESS_M],
  };
}

/** A point on the table beside the goal, on the side that is nearer to the robot. */
export function defaultObjectPlace(table: TableSpec, base: BasePose, goal?: Point2): Point2 {
  const { position, yawRad } = table;
  if (!goal) return [position[0], position[1]];
  const aside = [-ASIDE_M, ASIDE_M].map((v): Point2 => {
    const [dx, dy] = turn(yawRad, 0, v);
    return [goal[0] + dx, goal[1] + dy];
  });
  const distance = ([x, y]: Point2) => Math.hypot(x - base[0], y - base[1]);
  const [first, second] = aside.filter((point) => overTable(table, point, MARGIN_M));
  if (!first) return [position[0], position[1]];
  // A tie goes to the first, whatever the rounding errors.
  return second && distance(second) < distance(first) - 1e-6 ? second : first;
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
