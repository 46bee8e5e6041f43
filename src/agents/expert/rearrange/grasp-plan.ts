import type { ViewObject } from "../../../core/interfaces/manipulation-view.js";
import { rotate } from "../../../core/math/quat-wxyz.js";
import type { Vec3 } from "../../../core/math/vec3.js";
import { type Arm, type ArmJoints, type FlatPose, inBase } from "./arm.js";

/** Joints of the arm above and at a grasp, and what it costs compared with others. */
export interface ArmGrasp {
  readonly hover: ArmJoints;
  readonly at: ArmJoints;
  readonly costS: number;
}

/** How steeply the fingers point down, the most useful first. */
const PITCHES = [-0.7, -1, -0.45] as const;
/** Widest object that fits between the open fingers, with room for the error of a dock. */
const WIDEST_M = 0.068;
/** The pads reach this far below their centre when pitched. */
const PAD_BELOW_M = 0.028;
/** Grasps are this far below the top of tall objects. */
const BELOW_TOP_M = 0.035;
/** The hand passes above the object with this gap. */
const OVER_M = 0.05;
/** Larger turns of the wrist push the object sideways while the arm extends. */
const WIDE_YAW_RAD = 0.9;

/** Grasps of an object from above by an arm on a base at a pose, the best first. */
export function armGrasps(arm: Arm, base: FlatPose, object: ViewObject, avoid = 0): ArmGrasp[] {
  const shape = outline(object);
  const found: ArmGrasp[] = [];
  for (const [i, pitch] of PITCHES.entries()) {
    for (const point of graspPoints(shape)) {
      const at = arm.solve(inBase(base, point.position), pitch);
      if (!at || Math.abs(at.yaw) > WIDE_YAW_RAD) continue;
      const closing = base[2] + at.yaw;
      if (point.closingRad !== undefined && offAxis(closing, point.closingRad) > 0.45) continue;
      const widthM = point.widthM ?? shape.width(closing);
      if (widthM > WIDEST_M) continue;
      const [x, y, z] = point.position;
      const above: Vec3 = [x, y, Math.max(z, shape.topM) + OVER_M - (point.isRim ? 0 : 0.02)];
      const hover = arm.solve(inBase(base, above), pitch);
      if (!hover) continue;
      found.push({ hover, at, costS: 2 * i + 3 * Math.abs(at.yaw) + 40 * Math.max(0, widthM - 0.05) });
    }
  }
  found.sort((a, b) => a.costS - b.costS);
  return found.slice(avoid % Math.max(1, found.length));
}

interface GraspPoint {
  readonly position: Vec3;
  /** The direction in which the fingers must close; any if undefined. */
  readonly closingRad?: number;
  /** The width between the fingers; the object's if undefined. */
  readonly widthM?: number;
  readonly isRim?: boolean;
}

function graspPoints({ centre: [x, y], topM, bottomM, rimRadiusM }: Outline): GraspPoint[] {
  const z = Math.max(bottomM + PAD_BELOW_M, topM - BELOW_TOP_M);
  if (rimRadiusM === undefined) return [{ position: [x, y, z] }];
  // The fingers straddle the wall where it is tangent to them.
  return Array.from({ length: 24 }, (_, i): GraspPoint => {
    const angle = (i * Math.PI) / 12;
    return {
      position: [x + rimRadiusM * Math.cos(angle), y + rimRadiusM * Math.sin(angle), z],
      closingRad: angle,
      widthM: 0.02,
      isRim: true,
    };
  });
}

/** Angle between two lines, 0 to pi/2. */
function offAxis(a: number, b: number): number {
  return Math.abs(Math.asin(Math.sin(a - b)));
}

/** An object from above. */
interface Outline {
  readonly centre: readonly [x: number, y: number];
  readonly topM: number;
  readonly bottomM: number;
  /** Of an open vessel that is wider than the hand. */
  readonly rimRadiusM: number | undefined;
  /** Extent along a heading. */
  readonly width: (headingRad: number) => number;
}

const ROUND: ReadonlySet<string> = new Set(["cylinder", "bottle", "cup", "ball", "capsule"]);

export function outline({ position, rotation_wxyz, sizeM, shape, rimRadiusM }: ViewObject): Outline {
  const axes = ([0, 1, 2] as const).map((k) =>
    rotate(rotation_wxyz, [k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0]),
  );
  const extent = (direction: Vec3) =>
    axes.reduce((sum, axis, k) => {
      const along = axis[0] * direction[0] + axis[1] * direction[1] + axis[2] * direction[2];
      return sum + Math.abs(along) * (sizeM[k] as number);
    }, 0);
  const high = extent([0, 0, 1]);
  const isUpright = Math.abs(axes[2]?.[2] ?? 0) > 0.95;
  return {
    centre: [position[0], position[1]],
    topM: position[2] + high / 2,
    bottomM: position[2] - high / 2,
    rimRadiusM: isUpright ? rimRadiusM : undefined,
    width: (heading) =>
      ROUND.has(shape) && isUpright
        ? Math.max(sizeM[0], sizeM[1])
        : extent([Math.cos(heading), Math.sin(heading), 0]),
  };
}
