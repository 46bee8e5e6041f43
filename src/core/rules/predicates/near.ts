import { z } from "zod";
import { vec3Schema } from "../../episode/number-lists.js";
import type { Vec3 } from "../../math/vec3.js";
import { atMost } from "../measurement.js";
import { metres, thing } from "../params.js";
import type { MeasuredPredicate } from "../predicate.js";
import { distanceToBox, levelToBox } from "../shape.js";

const params = z
  .strictObject({
    object: thing,
    /** A point, or the name of an object whose centre is the target. */
    target: z.union([vec3Schema, thing]),
    within_m: metres.default(0.05),
    axes: z.enum(["xyz", "xy", "z"]).default("xyz"),
    to: z.enum(["centre", "box"]).default("centre"),
    /** Factors of the differences along x, y and z. */
    weights: vec3Schema.optional(),
  })
  .refine(({ to, weights }) => to === "centre" || !weights, {
    path: ["weights"],
    message: "`box` is measured without `weights`",
  })
  .refine(
    ({ to, target, axes }) => to === "centre" || (typeof target === "string" && axes !== "z"),
    {
      path: ["to"],
      message: "`box` needs an object as `target`, and `axes` xyz or xy",
    },
  );

export const near: MeasuredPredicate<z.output<typeof params>> = {
  name: "near",
  summary:
    "its centre is within `within_m` (0.05 m) of `target` (a point or object) along `axes` (`xyz`, `xy` or `z`) times `weights`; `to: box`: of its bounding box",
  params,
  needs: ({ object, target }) => [
    { object, aspect: "pose" },
    ...(typeof target === "string" ? [{ object: target, aspect: "pose" } as const] : []),
  ],
  measure: ({ object, target, within_m, axes, to: part, weights }, { now }) => {
    if (part === "box" && typeof target === "string") {
      const toBox = axes === "xy" ? levelToBox : distanceToBox;
      const from = now.pose(object).position;
      return atMost(toBox(from, now.pose(target), now.sizeM(target)), within_m);
    }
    const to = typeof target === "string" ? now.pose(target).position : target;
    return atMost(distance(now.pose(object).position, to, axes, weights), within_m);
  },
};

function distance(
  [x, y, z]: Vec3,
  to: Vec3,
  axes: "xyz" | "xy" | "z",
  [wx, wy, wz]: Vec3 = [1, 1, 1],
): number {
  const [dx, dy, dz] = [wx * (x - to[0]), wy * (y - to[1]), wz * (z - to[2])];
  if (axes === "z") return Math.abs(dz);
  return axes === "xy" ? Math.hypot(dx, dy) : Math.hypot(dx, dy, dz);
}
