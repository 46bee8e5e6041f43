import type { Random } from "../../core/math/random.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { dofOf, type RobotDescriptor } from "../../robots/descriptor.js";
import { rounded } from "../ground.js";
import { within } from "./object-specs.js";

type Range = readonly [low: number, high: number];

/** Pose of a robot in front of a table, in metres and radians; the table is along +x. */
interface Arrangement {
  /** Yaw of the base. Stretch's arm extends to its right, so it stands sideways. */
  readonly theta: number;
  /** The table's near edge, height, depth and width. */
  readonly tableX: number;
  readonly tableZ: Range;
  readonly tableSize: Vec3;
  /** Ranges of object positions. */
  readonly objectX: Range;
  readonly objectY: Range;
  /** Start height of the lift above the table top, in metres. */
  readonly liftAboveTable?: number;
}

const STRETCH: Arrangement = {
  theta: Math.PI / 2,
  tableX: 0.45,
  tableZ: [0.62, 0.78],
  tableSize: [0.6, 1.2, 0.04],
  objectX: [0.58, 0.86],
  objectY: [-0.35, 0.35],
  liftAboveTable: 0.2,
};

/** On its pedestal, the arm's base is level with the table. */
const ARM: Arrangement = {
  theta: 0,
  tableX: 0.28,
  tableZ: [0.66, 0.76],
  tableSize: [0.6, 1.2, 0.04],
  objectX: [0.42, 0.66],
  objectY: [-0.3, 0.3],
};

export interface Stage {
  readonly basePose: readonly [x: number, y: number, theta: number];
  readonly joints: readonly number[];
  /** Centre of the table top's upper surface. */
  readonly table: { readonly position: Vec3; readonly size: Vec3; readonly yaw: number };
  readonly objectX: Range;
  readonly objectY: Range;
  /** Heading along which the hand reaches out. */
  readonly reachYawRad: number;
}

export function drawStage(random: Random, robot: RobotDescriptor): Stage {
  // Robots on wheels stand sideways, as Stretch does.
  const arrangement = robot.dofs.some(({ name }) => name === "base_x") ? STRETCH : ARM;
  const { tableX, tableSize, theta } = arrangement;
  const z = rounded(within(random, arrangement.tableZ));
  return {
    basePose: [
      rounded(within(random, [-0.03, 0.03])),
      rounded(within(random, [-0.1, 0.1])),
      rounded(theta),
    ],
    joints: startJoints(robot, arrangement, z),
    table: { position: [rounded(tableX + tableSize[0] / 2), 0, z], size: tableSize, yaw: 0 },
    objectX: arrangement.objectX,
    objectY: arrangement.objectY,
    reachYawRad: 0,
  };
}

function startJoints(robot: RobotDescriptor, arrangement: Arrangement, tableZ: number): number[] {
  const home = robot.model?.home ?? new Array<number>(dofOf(robot)).fill(0);
  return robot.dofs.map(({ name, limits: [low, high] }, i) => {
    const above = arrangement.liftAboveTable;
    const value = name === "lift" && above !== undefined ? tableZ + above : (home[i] ?? 0);
    return rounded(Math.min(Math.max(value, low), high));
  });
}
