import { z } from "zod";
import { vec3Schema } from "../../core/episode/number-lists.js";
import { DataError } from "../../core/errors.js";

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

const criteria = z.looseObject({ ...HANDLING_SETTINGS, ...OPENING_SETTINGS }).default({});

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
