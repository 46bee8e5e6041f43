import { z } from "zod";
import { vec3Schema } from "../../core/episode/number-lists.js";
import { DataError } from "../../core/errors.js";
import { PROFILES } from "../../core/profiles.js";

export type Goals = Readonly<Record<string, unknown>>;

/** Consecutive control steps for which the conditions must hold: half a second at 20 Hz. */
export const HOLD_STEPS = 10;

const positive = z.number().positive();
const named = z.looseObject({ name: z.string().min(1) });

/** Settings in `success_criteria`; presets have defaults. */
export const HANDLING_SETTINGS = {
  lift_height: positive.describe("metres").optional(),
  place_tolerance: positive.describe("metres").optional(),
};
export const OPENING_SETTINGS = {
  opened_fraction: positive.max(1).describe("share of the joint's range").optional(),
};

const count = z.int().positive().describe("control steps in a row");
const part = z.number().min(0).max(1);
export const REARRANGING_SETTINGS = {
  profile: z.enum(Object.keys(PROFILES)).describe("whose numbers the others replace").optional(),
  find_distance: positive.describe("metres from the base to the target's box").optional(),
  view_share: part.describe("share of the target that the head camera sees").optional(),
  image_share: part.describe("share of the head camera's image that it fills").optional(),
  pick_steps: count.optional(),
  place_steps: count.optional(),
  rest_speed: positive.describe("m/s").optional(),
  rest_turn: positive.describe("rad/s").optional(),
  collision_force: positive
    .describe("newtons; a collision of at least this force excludes success")
    .optional(),
};

const criteria = z
  .looseObject({ ...HANDLING_SETTINGS, ...OPENING_SETTINGS, ...REARRANGING_SETTINGS })
  .default({});

const partlyNamed = named.partial();

/** Goals in a benchmark, of which episodes may give the rest. */
export const PICK_PLACE_PARTS = {
  target_object: partlyNamed,
  target_location: z.looseObject({ position: z.array(z.number()).length(3).optional() }),
};
export const STACKING_PARTS = {
  target_object: partlyNamed,
  target_location: z.looseObject({ object: z.string().min(1).optional() }),
};
const receptacle = z.looseObject({ receptacle: z.string().min(1) });
export const REARRANGING_PARTS = {
  target_object: partlyNamed,
  start_receptacle: partlyNamed,
  target_location: receptacle.partial(),
};
export const OPENING_PARTS = { target_fixture: partlyNamed };

export const pickPlaceGoals = z.looseObject({
  target_object: named,
  /** Target of the object's centre. */
  target_location: z.looseObject({ position: vec3Schema }),
  success_criteria: criteria,
});

export const stackingGoals = z
  .looseObject({
    target_object: named,
    /** The object to stack it onto. */
    target_location: z.looseObject({ object: z.string().min(1) }),
    success_criteria: criteria,
  })
  .refine((goals) => goals.target_object.name !== goals.target_location.object, {
    path: ["target_location", "object"],
    message: "an object cannot be stacked onto itself",
  });

export const rearrangingGoals = z
  .looseObject({
    target_object: named,
    /** The piece of furniture to put it on. */
    target_location: receptacle,
    success_criteria: criteria,
  })
  .refine((goals) => goals.target_object.name !== goals.target_location.receptacle, {
    path: ["target_location", "receptacle"],
    message: "an object cannot be put on itself",
  });

export const openingGoals = z.looseObject({ target_fixture: named, success_criteria: criteria });

export function readGoals<T>(goals: Goals, schema: z.ZodType<T>): T {
  const result = schema.safeParse(goals);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = issue?.path.map(String) ?? [];
  throw new DataError("bad_goals", `the goals do not fit the task: ${issue?.message}`, {
    where: ["goals", ...path].join("."),
    hint: "see the episodes of `robot-eval generate` for examples",
  });
}
