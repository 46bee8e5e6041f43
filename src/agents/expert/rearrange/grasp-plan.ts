import type { ViewObject } from "../../../core/interfaces/manipulation-view.js";
import { rotate } from "../../../core/math/quat-wxyz.js";
import { add, type Vec3 } from "../../../core/math/vec3.js";
import { yawOf } from "../pose.js";
import { type Arm, type ArmJoints, type FlatPose, inBase } from "./arm.js";

/** Joints of the arm before and at a grasp, and what it costs compared with others. */
export interface ArmGrasp {
  readonly kind: "above" | "beside";
  /** Above the object, or beside it at the height of the grasp. */
  readonly hover: ArmJoints;
  readonly at: ArmJoints;
  /** The lift that takes the object off its support. */
  readonly raised: number;
  readonly costS: number;
}

/** How steeply the fingers point down, the most useful first. Slanted fingers would turn a rim between them. */
const PITCHES = { sides: [-0.7, -1, -0.45], rim: [-1.35, -1.2, -1.05] } as const;
/** Tried before the others if the hand reaches into a drawer, where a slanted one may touch the front. */
const STEEP = [-1.2, -1.35] as const;
/** Pitch of the hand for grasps from the side: nearly level, because the hand moves along the arm. */
const BESIDE_PITCH = -0.3;
const BESIDE_YAW_RAD = 0.2;
/** Grasps from beside are for what is too high to be grasped from above. */
const BESIDE_COST_S = 10;
/** Distance from the object's edge at which a grasp from the side begins, and height by which it lifts. */
export const BESIDE_M = 0.08;
const BESIDE_RAISE_M = 0.12;
/** Widest extent that fits between the open fingers, with room for the error of a dock. */
const WIDEST_M = 0.07;
/** The pads reach this far below their centre when pitched. */
const PAD_BELOW_M = 0.028;
/** The hand passes above the object with this gap. */
const OVER_M = 0.03;
/** Maximum angle between the fingers and another object's sides, which turns between closing fingers. */
const ASKEW_RAD = 0.4;
/** Maximum angle between the fingers and the direction across a round body's handle, which they do not turn. */
const BESIDE_HANDLE_RAD = 0.7;
/** Directions in which a rim is grasped. */
const RIM_POINTS = 24;
/** Steep fingers reach this far below the grasp. */
const STEEP_TIPS_M = 0.07;

/** The drawer that an object is taken out of or will be put into. */
export interface DrawerWork {
  /** Height that the hand and the object have to pass over to get out of the drawer; undefined if it is elsewhere now. */
  readonly overM: number | undefined;
}

/** Grasps of an object by an arm on a base at a pose, the best first. */
export function armGrasps(
  arm: Arm,
  base: FlatPose,
  object: ViewObject,
  drawer?: DrawerWork,
): ArmGrasp[] {
  const { bottomM, topM } = heights(object);
  const usual = PITCHES[object.grasp?.kind ?? "sides"];
  const pitches = drawer ? [...STEEP, ...usual] : usual;
  const overM = drawer?.overM;
  const found: ArmGrasp[] = [];
  for (const { position, closingRad } of graspPoints(object)) {
    const [x, y] = position;
    const z = Math.max(bottomM + PAD_BELOW_M, position[2]);
    const graspAt = (pitch: number) => {
      const at = arm.solve(inBase(base, [x, y, z]), pitch);
      if (!at) return undefined;
      const closing = base[2] + at.yaw;
      const askew = closingRad === undefined ? 0 : betweenLines(closing, closingRad);
      if (askew > mostAskew(object) || widthAcross(object, closing) > WIDEST_M) return undefined;
      return { at, costS: 3 * Math.abs(at.yaw) + 8 * askew };
    };
    for (const [i, pitch] of pitches.entries()) {
      const grasp = graspAt(pitch);
      const topsM = overM === undefined ? [topM] : [topM, overM + STEEP_TIPS_M];
      const hover = arm.solve(inBase(base, [x, y, Math.max(z, ...topsM) + OVER_M]), pitch);
      if (!grasp || !hover) continue;
      const costS = 2 * i + grasp.costS;
      const outM = overM === undefined ? 0 : overM + OVER_M - bottomM;
      const raised = Math.max(hover.lift, arm.raised(grasp.at, outM));
      found.push({ kind: "above", ...grasp, hover, raised, costS });
    }
    if (drawer || object.grasp?.kind === "rim") continue;
    const grasp = graspAt(BESIDE_PITCH);
    if (!grasp || Math.abs(grasp.at.yaw) > BESIDE_YAW_RAD) continue;
    const hover = { ...grasp.at, arm: grasp.at.arm - radiusOf(object) - BESIDE_M };
    if (!arm.isWithin(hover)) continue;
    const raised = arm.raised(grasp.at, BESIDE_RAISE_M);
    found.push({ kind: "beside", ...grasp, hover, raised, costS: BESIDE_COST_S + grasp.costS });
  }
  return found.sort((a, b) => a.costS - b.costS);
}

/** Radius of a circle around the object, seen from above. */
export function radiusOf({ sizeM }: ViewObject): number {
  return Math.hypot(sizeM[0], sizeM[1]) / 2;
}

/** A handle moves the middle of the bounding box away from the axis of a round body. */
function hasHandle({ grasp }: ViewObject): boolean {
  return grasp?.kind === "sides" && grasp.closingYawsRad !== undefined && grasp.at[0] !== 0;
}

function mostAskew(object: ViewObject): number {
  return hasHandle(object) ? BESIDE_HANDLE_RAD : ASKEW_RAD;
}

interface GraspPoint {
  readonly position: Vec3;
  /** Direction of the line between the fingers; any if undefined. */
  readonly closingRad: number | undefined;
}

function graspPoints(object: ViewObject): GraspPoint[] {
  const { position, rotation_wxyz, grasp } = object;
  // An object that fell over is grasped at its middle.
  if (!grasp || !isUpright(object)) return [{ position, closingRad: undefined }];
  const yaw = yawOf(rotation_wxyz);
  if (grasp.kind === "rim") {
    return Array.from({ length: RIM_POINTS }, (_, i) => {
      const angle = (2 * Math.PI * i) / RIM_POINTS;
      const [x, y] = [grasp.at[0] * Math.cos(angle), grasp.at[0] * Math.sin(angle)];
      return { position: add(position, [x, y, grasp.at[2]]), closingRad: angle };
    });
  }
  const at = add(position, rotate(rotation_wxyz, grasp.at));
  const yaws = grasp.closingYawsRad;
  if (!yaws) return [{ position: at, closingRad: undefined }];
  return yaws.map((own) => ({ position: at, closingRad: yaw + own }));
}

/** Width of the object between the fingers if the line between them has a heading. */
function widthAcross(object: ViewObject, heading: number): number {
  const { grasp } = object;
  const isRound = grasp?.kind === "rim" || !grasp?.closingYawsRad || hasHandle(object);
  if (grasp && isRound && isUpright(object)) return grasp.widthM;
  return extent(object, [Math.cos(heading), Math.sin(heading), 0]);
}

function isUpright({ rotation_wxyz }: ViewObject): boolean {
  return rotate(rotation_wxyz, [0, 0, 1])[2] > 0.95;
}

/** Heights of an object's lowest and highest point, from its bounding box. */
export function heights(object: ViewObject): { readonly bottomM: number; readonly topM: number } {
  const half = extent(object, [0, 0, 1]) / 2;
  return { bottomM: object.position[2] - half, topM: object.position[2] + half };
}

/** Extent of the bounding box along a direction of the world. */
function extent({ rotation_wxyz, sizeM }: ViewObject, [x, y, z]: Vec3): number {
  const axes: readonly Vec3[] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  return axes.reduce((sum, axis, k) => {
    const [ax, ay, az] = rotate(rotation_wxyz, axis);
    return sum + Math.abs(ax * x + ay * y + az * z) * (sizeM[k] as number);
  }, 0);
}

/** Angle between two lines, 0 to pi/2. */
function betweenLines(a: number, b: number): number {
  return Math.abs(Math.asin(Math.sin(a - b)));
}
