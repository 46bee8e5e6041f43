import { z } from "zod";
import { vec3Schema } from "../../episode/number-lists.js";
import { rotate } from "../../math/quat-wxyz.js";
import { add, subtract, type Vec3 } from "../../math/vec3.js";
import { thing } from "../params.js";
import type { MeasuredPredicate } from "../predicate.js";

/** The body that has the region, the pose of the region in the body's frame, and half of its size. */
const params = z.strictObject({
  object: thing,
  relation: z.enum(["in", "on"]),
  body: thing,
  position: vec3Schema,
  rotation_wxyz: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  half_size: vec3Schema,
});

/** LIBERO accepts objects this far below a region that contains them, in metres. */
const BELOW_M = 0.01;
/** Heights above the upper side of a region at which an object lies on it, in metres. */
const LOWEST_M = -0.005;
const HIGHEST_M = 0.1;

/**
 * The regions of LIBERO's tasks (`SiteObject.in_box` and `SiteObject.under`), with its formulas. `in` compares with a box
 * along the world's axes whose half size is |R s|, which is not the box around the region unless it is turned by multiples
 * of 90 degrees; `on` turns the offset by R instead of its inverse. Published results contain both.
 *
 * The value is how far the object's centre is outside, on the worst axis; negative inside.
 */
export const liberoRegion: MeasuredPredicate<z.output<typeof params>> = {
  name: "libero_region",
  summary:
    "the centre of `object` is `in` or `on` (`relation`) a region of LIBERO that belongs to `body`",
  params,
  needs: ({ object, body }) => [
    { object, aspect: "pose" },
    { object: body, aspect: "pose" },
  ],
  measure: ({ object, relation, body, position, rotation_wxyz, half_size }, { now }) => {
    const frame = now.pose(body);
    const centre = add(frame.position, rotate(frame.rotation_wxyz, position));
    const offset = subtract(now.pose(object).position, centre);
    const turn = (v: Vec3) => rotate(frame.rotation_wxyz, rotate(rotation_wxyz, v));
    const value =
      relation === "in"
        ? outsideBox(offset, turn(half_size).map(Math.abs))
        : outsideTop(turn(offset), half_size);
    return { value, threshold: 0, bound: "at_most", holds: value < 0 };
  },
};

function outsideBox([x, y, z]: Vec3, [a = 0, b = 0, c = 0]: readonly number[]): number {
  return Math.max(Math.abs(x) - a, Math.abs(y) - b, z - c, -z - c - BELOW_M);
}

function outsideTop([x, y, z]: Vec3, [a, b, c]: Vec3): number {
  return Math.max(Math.abs(x) - a, Math.abs(y) - b, z - c - HIGHEST_M, c + LOWEST_M - z);
}
