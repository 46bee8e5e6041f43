import type { Pose3, ViewObject } from "../../core/interfaces/manipulation-view.js";
import { rotate } from "../../core/math/quat-wxyz.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { boxAround } from "./clearance.js";
import { downward, level } from "./pose.js";

/** Fingers level from the side, or pointing down from above. */
export type GraspStyle = "level" | "down";

export interface Grasp {
  readonly style: GraspStyle;
  readonly pose: Pose3;
  /** Metres between the fingers at contact. */
  readonly widthM: number;
}

/** A heading along which the fingers close, and the width between them. */
interface Closing {
  readonly yawRad: number;
  readonly widthM: number;
}

/** Number of headings tried around a round object. */
const AROUND = 24;
/** Minimum height of a level hand above the support: half the hand's height and a margin. */
const LEVEL_ABOVE_M = 0.035;
/** How far fingers from above reach below the top, and their minimum height above the support. */
const DOWN_DEPTH_M = 0.03;
const DOWN_ABOVE_M = 0.012;

/**
 * Shares of a bottle's height: the centre of its body from below, and of its cap from above. Between cap and shoulder
 * the fingers would get stuck.
 */
const BOTTLE = { body: 0.4, cap: 0.06 };

/** All candidate grasps of an object; the planner chooses one. */
export function graspsOf(object: ViewObject, style: GraspStyle): Grasp[] {
  const box = boxAround(object);
  const bottom = object.position[2] - box.half[2];
  const top = object.position[2] + box.half[2];
  const bottle = object.shape === "bottle" && isUpright(object);
  const middle = bottle ? bottom + BOTTLE.body * (top - bottom) : object.position[2];
  const depth = bottle ? BOTTLE.cap * (top - bottom) : DOWN_DEPTH_M;
  const z =
    style === "level"
      ? Math.min(Math.max(middle, bottom + LEVEL_ABOVE_M), top - 0.01)
      : Math.max(top - depth, Math.min(bottom + DOWN_ABOVE_M, top));
  const position: Vec3 = [object.position[0], object.position[1], z];
  return closingsOf(object).flatMap(({ yawRad, widthM }) => {
    // A hand rotated by half a turn closes along the same line.
    return [yawRad, yawRad + Math.PI].map((closing): Grasp => {
      const rotation_wxyz = style === "level" ? level(closing - Math.PI / 2) : downward(closing);
      return { style, pose: { position, rotation_wxyz }, widthM };
    });
  });
}

function isUpright({ rotation_wxyz }: ViewObject): boolean {
  return Math.abs(rotate(rotation_wxyz, [0, 0, 1])[2]) > 0.9;
}

const ROUND = new Set(["cylinder", "bottle", "cup", "capsule"]);

function closingsOf(object: ViewObject): Closing[] {
  const { shape, sizeM } = object;
  const axes = (
    [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ] as const
  ).map((axis, i) => {
    const [x, y, z] = rotate(object.rotation_wxyz, axis);
    return { yawRad: Math.atan2(y, x), steep: Math.abs(z), widthM: sizeM[i] ?? 0 };
  });
  const steepest = Math.max(...axes.map(({ steep }) => steep));
  const upright = axes[2]?.steep === steepest;
  if (upright && ROUND.has(shape)) {
    const widthM = Math.max(sizeM[0], sizeM[1]);
    return Array.from({ length: AROUND }, (_, i) => ({ yawRad: (Math.PI * i) / AROUND, widthM }));
  }
  const flat = axes.filter(({ steep }) => steep !== steepest);
  if (upright && shape === "hexagon") return acrossFlats(flat);
  return flat.map(({ yawRad, widthM }) => ({ yawRad, widthM }));
}

/** The narrow side of a hexagon's box is the distance between two flats; the others follow every 60 degrees. */
function acrossFlats(axes: readonly Closing[]): Closing[] {
  const [first, second] = axes;
  if (!first || !second) return [];
  const narrow = first.widthM <= second.widthM ? first : second;
  return [0, 1, 2].map((k) => ({
    yawRad: narrow.yawRad + (k * Math.PI) / 3,
    widthM: narrow.widthM,
  }));
}
