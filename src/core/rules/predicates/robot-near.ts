import { z } from "zod";
import { vec3Schema } from "../../episode/number-lists.js";
import { atMost } from "../measurement.js";
import { metres, thing } from "../params.js";
import type { MeasuredPredicate } from "../predicate.js";
import { levelToBox } from "../shape.js";

const params = z
  .strictObject({
    /** A point, or the name of an object whose centre is the target. */
    target: z.union([vec3Schema, thing]),
    within_m: metres.default(1),
    to: z.enum(["centre", "box"]).default("centre"),
  })
  .refine(({ to, target }) => to === "centre" || typeof target === "string", {
    path: ["to"],
    message: "`box` needs an object as `target`",
  });

export const robotNear: MeasuredPredicate<z.output<typeof params>> = {
  name: "robot_near",
  summary:
    "the robot's base is within `within_m` (1 m) of `target` (a point or an object), measured horizontally to its centre or, with `to: box`, to its bounding box",
  params,
  needs: ({ target }) => [
    { robot: true },
    ...(typeof target === "string" ? [{ object: target, aspect: "pose" } as const] : []),
  ],
  measure: ({ target, within_m, to }, { now }) => {
    if (to === "box" && typeof target === "string") {
      return atMost(levelToBox(now.robotPosition, now.pose(target), now.sizeM(target)), within_m);
    }
    const [x, y] = typeof target === "string" ? now.pose(target).position : target;
    const [rx, ry] = now.robotPosition;
    return atMost(Math.hypot(rx - x, ry - y), within_m);
  },
};
