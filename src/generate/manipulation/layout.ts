import { boxAround, gap } from "../../agents/expert/clearance.js";
import type { ViewObject } from "../../core/interfaces/manipulation-view.js";
import { aboutAxis } from "../../core/math/quat-wxyz.js";
import type { Random } from "../../core/math/random.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { rounded } from "../ground.js";
import { type ObjectSpec, within } from "./object-specs.js";
import type { Stage } from "./stage.js";

/** An object with a pose. */
export interface Placed {
  readonly spec: ObjectSpec;
  /** Centre of its bounding box. */
  readonly position: Vec3;
  readonly yaw: number;
}

/** Minimum distance between objects in metres, about a finger's width. */
const APART_M = 0.05;
const MOST_DRAWS = 60;

/** Places an object uniformly on the reachable part of the table, with any yaw, clear of the others. */
export function placeObject(
  random: Random,
  stage: Stage,
  spec: ObjectSpec,
  others: readonly Placed[],
  apartM: number = APART_M,
): Placed | undefined {
  for (let i = 0; i < MOST_DRAWS; i++) {
    const placed: Placed = {
      spec,
      position: spot(random, stage, spec.sizeM[2]),
      yaw: rounded(within(random, [-Math.PI, Math.PI])),
    };
    if (others.every((other) => apart(placed, other) >= apartM)) return placed;
  }
  return undefined;
}

/** A random position for the centre of an object on the table. */
export function spot(random: Random, stage: Stage, heightM: number): Vec3 {
  return [
    rounded(within(random, stage.objectX)),
    rounded(within(random, stage.objectY)),
    rounded(stage.table.position[2] + heightM / 2),
  ];
}

export function apart(a: Placed, b: Placed): number {
  return gap(boxAround(toViewObject(a)), boxAround(toViewObject(b)));
}

/** Converts to the expert's object type. */
export function toViewObject({ spec, position, yaw }: Placed): ViewObject {
  const { name, shape, sizeM } = spec;
  return { name, shape, sizeM, position, rotation_wxyz: aboutAxis([0, 0, 1], yaw) };
}

/** Converts to the form of episodes on disk. */
export function objectDict({ spec, position, yaw }: Placed): Readonly<Record<string, unknown>> {
  return {
    name: spec.name,
    shape: spec.shape,
    size: spec.sizeM,
    position,
    yaw,
    mass: spec.massKg,
    friction: spec.friction,
    color: spec.color,
  };
}
