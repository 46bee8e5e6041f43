import { z } from "zod";
import type { BaseEpisode } from "../../../core/episode/base.js";
import { valueAt } from "../../../core/episode/schemas.js";
import { DataError, show } from "../../../core/errors.js";
import { suggestion } from "../../../core/registry.js";
import { axisValues } from "../../axes/values.js";
import { CATALOGUE_MODELS } from "../objects/catalogue/catalogue.js";
import { COLORS } from "../objects/colors.js";
import { WORLD_AXES } from "./axes/names.js";
import { OBJECT_SHAPES } from "./world.js";

/*
 * Schema of an episode's `task_config`. Objects, fixtures, table and randomisation reject unknown keys: a misspelt
 * `friction` would silently change the results.
 */

const positive = z.number().positive();
const size = z.tuple([positive, positive, positive], {
  error: "expected the bounding box [x, y, z] in metres",
});
/** Without z, the object stands on the table or floor. */
const place = z.array(z.number()).refine((list) => list.length === 2 || list.length === 3, {
  error: "expected [x, y] or [x, y, z]",
});
const share = z.number().min(0).max(1);
const name = z.string().regex(/^[\w.-]+$/, { error: "expected letters, digits, _ . or -" });
const quaternion = z
  .tuple([z.number(), z.number(), z.number(), z.number()])
  .refine((q) => Math.abs(Math.hypot(...q) - 1) < 1e-2, {
    error: "expected a quaternion [w, x, y, z] of length 1",
  });

function oneOf<const T extends string>(names: readonly [T, ...T[]]) {
  return z.enum(names, { error: ({ input }) => suggestion(String(input), names) });
}

const color = z.union([z.tuple([share, share, share]), z.enum(Object.keys(COLORS))], {
  error: `expected [r, g, b] from 0 to 1, or one of ${Object.keys(COLORS).join(", ")}`,
});

const object = z
  .strictObject({
    name,
    shape: oneOf(OBJECT_SHAPES).optional(),
    model: oneOf(CATALOGUE_MODELS).optional(),
    size: size.optional(),
    position: place,
    yaw: z.number().optional(),
    rotation_wxyz: quaternion.optional(),
    mass: positive.optional(),
    friction: positive.optional(),
    color: color.optional(),
  })
  .refine(({ yaw, rotation_wxyz }) => yaw === undefined || rotation_wxyz === undefined, {
    path: ["yaw"],
    error: "give yaw or rotation_wxyz, not both",
  })
  .refine(({ shape, model }) => shape === undefined || model === undefined, {
    path: ["shape"],
    error: "give shape or model, not both",
  });

const fixture = z.strictObject({
  name,
  kind: oneOf(["drawer", "door"]),
  position: place,
  yaw: z.number().default(0),
  size: size.optional(),
  range: positive.optional(),
  opened: share.default(0),
  damping: z.number().nonnegative().optional(),
  friction_loss: z.number().nonnegative().optional(),
});

/** A drawer of an apartment's furniture that moves. */
const drawer = z.strictObject({
  name,
  /** Metres. */
  opened: z.number().nonnegative().default(0),
});

const table = z.strictObject({
  position: place.optional(),
  size: z
    .array(positive)
    .refine((list) => list.length === 2 || list.length === 3, {
      error: "expected [length, width] or [length, width, thickness]",
    })
    .optional(),
  yaw: z.number().optional(),
});

const taskConfig = z.looseObject({
  robot_config: z.looseObject({ robot_type: z.string().optional() }).optional(),
  /** Where LeRobot and RoboVerse datasets name the robot; other values are those formats' own. */
  robot_type: z.string().optional().catch(undefined),
  /** `null` means no table. */
  table: table.nullable().optional(),
  scene_objects: z.array(object).optional(),
  fixtures: z.array(fixture).optional(),
  drawers: z.array(drawer).optional(),
  randomization: z
    .strictObject({
      level: z.literal([0, 1, 2, 3]).default(0),
      physics: z.boolean().default(false),
      seed: z.union([z.number(), z.string()]).optional(),
      axes: axisValues(WORLD_AXES).optional(),
    })
    .optional(),
  physics: z
    .strictObject({
      mass_scale: positive.optional(),
      friction_scale: positive.optional(),
      finger_friction: positive.optional(),
      gripper_force: positive.optional(),
    })
    .optional(),
});

export type WorldConfig = z.output<typeof taskConfig>;
export type ObjectConfig = z.output<typeof object>;
export type FixtureConfig = z.output<typeof fixture>;

export function readTaskConfig(episode: BaseEpisode): WorldConfig {
  const result = taskConfig.safeParse(episode.taskConfig);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = issue?.path.map(String) ?? [];
  const value = valueAt(episode.taskConfig, path);
  throw episodeError(
    episode,
    ["task_config", ...path].join("."),
    `${issue?.message}, got ${show(value)}`,
  );
}

/** An error about a field of an episode. */
export function episodeError(
  episode: BaseEpisode,
  field: string,
  problem: string,
  hint?: string,
): DataError {
  return new DataError("bad_episode", problem, {
    where: `episode ${episode.episodeId}, ${field}`,
    hint,
  });
}
