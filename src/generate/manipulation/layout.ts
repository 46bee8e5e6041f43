import { boxAround, gap } from "../../agents/expert/clearance.js";
import type { ViewObject } from "../../core/interfaces/manipulation-view.js";
import { aboutAxis } from "../../core/math/quat-wxyz.js";
import type { Random } from "../../core/math/random.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { rounded } from "../ground.js";
import type { Stage } from "./stage.js";
import { type Thing, within } from "./things.js";

/** A thing that stands somewhere. */
export interface Placed {
  readonly thing: Thing;
  /** The middle of its bounding box. */
  readonly position: Vec3;
  readonly yaw: number;
}

/** Metres of air between any two things: about a finger. */
const APART_M = 0.05;
const MOST_DRAWS = 60;

/** Evenly over the part of the table that can be reached, turned every way, off the others. */
export function standThing(
  random: Random,
  stage: Stage,
  thing: Thing,
  others: readonly Placed[],
  apartM: number = APART_M,
): Placed | undefined {
  for (let i = 0; i < MOST_DRAWS; i++) {
    const placed: Placed = {
      thing,
      position: spot(random, stage, thing.sizeM[2]),
      yaw: rounded(within(random, [-Math.PI, Math.PI])),
    };
    if (others.every((other) => apart(placed, other) >= apartM)) return placed;
  }
  return undefined;
}

/** A place for the middle of something that stands on the table. */
export function spot(random: Random, stage: Stage, heightM: number): Vec3 {
  return [
    rounded(within(random, stage.objectX)),
    rounded(within(random, stage.objectY)),
    rounded(stage.table.position[2] + heightM / 2),
  ];
}

export function apart(a: Placed, b: Placed): number {
  return gap(boxAround(seenAs(a)), boxAround(seenAs(b)));
}

/** As the expert's geometry takes objects. */
export function seenAs({ thing, position, yaw }: Placed): ViewObject {
  const { name, shape, sizeM } = thing;
  return { name, shape, sizeM, position, rotation_wxyz: aboutAxis([0, 0, 1], yaw) };
}

/** As episodes have them, on disk. */
export function objectDict({ thing, position, yaw }: Placed): Readonly<Record<string, unknown>> {
  return {
    name: thing.name,
    shape: thing.shape,
    size: thing.sizeM,
    position,
    yaw,
    mass: thing.massKg,
    friction: thing.friction,
    color: thing.color,
  };
}
