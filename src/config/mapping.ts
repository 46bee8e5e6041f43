import { z } from "zod";

/** Forms of a rotation. Angles are radians; euler_xyz rotates about the fixed axes x, y, z in this order. */
export const ROTATIONS = [
  "quat_wxyz",
  "quat_xyzw",
  "axis_angle",
  "euler_xyz",
  "rotation_6d",
  "rotation_6d_interleaved",
] as const;

export type RotationForm = (typeof ROTATIONS)[number];

/** Named mappings; see docs/dialects.md. */
export const MAPPING_PRESETS = ["libero", "droid"] as const;

export type MappingPreset = (typeof MAPPING_PRESETS)[number];

const vector = z.array(z.number()).min(1);
const pair = z.tuple([z.number(), z.number()]);

/** Steps applied to numbers, in this order. */
const steps = {
  take: z
    .tuple([z.int().min(0), z.int().min(1)])
    .refine(([first, end]) => first < end, { message: "the first comes before the end" })
    .describe("[first, after the last] of the numbers; all if absent")
    .optional(),
  rotation: z
    .strictObject({
      from: z.enum(ROTATIONS).describe("how the numbers write it"),
      to: z.enum(ROTATIONS).describe("how it is written then"),
    })
    .describe(
      "the numbers are a rotation, to be written in another way; euler_xyz turns about fixed axes, rotation_6d is the matrix' first two columns one after the other, rotation_6d_interleaved the same two columns row by row",
    )
    .optional(),
  scale: z.number().describe("each number times this").optional(),
  range: z
    .strictObject({
      from: pair.refine(([a, b]) => a !== b, { message: "the two ends must differ" }),
      to: pair,
    })
    .describe("moves numbers linearly: from[0] becomes to[0], from[1] becomes to[1]")
    .optional(),
  clip: pair.describe("[lowest, highest]: what lies beyond becomes the end").optional(),
  switch: z
    .strictObject({
      at: z.number(),
      below: z.number().describe("for numbers up to `at`"),
      above: z.number().describe("for numbers above it"),
    })
    .describe("makes each number one of two, for grippers that only open and close")
    .optional(),
  repeat: z.int().positive().describe("the numbers, so many times").optional(),
};

const from = z.string().min(1).describe("a sensor, or a field of one: `instruction.text`");
const value = z
  .union([z.string(), z.number(), z.boolean(), vector])
  .describe("the same in every step");
const dtype = z
  .enum(["float32", "float64"])
  .describe("of the array; float64 if absent, as NumPy would have it")
  .optional();

const picture = {
  resize: z.tuple([z.int().positive(), z.int().positive()]).describe("[width, height]").optional(),
  fit: z
    .enum(["stretch", "pad"])
    .describe(
      "how the picture meets another shape: stretched, or whole with black bars (pad, if absent)",
    )
    .optional(),
  flip: z
    .enum(["vertical", "horizontal", "both"])
    .describe("upside down, mirrored, or turned by half a turn")
    .optional(),
  layout: z.enum(["hwc", "chw"]).describe("rows of pixels (hwc, if absent) or planes").optional(),
};

const pictureKeys = Object.keys(picture);
const stepKeys = [...Object.keys(steps), "dtype"];

/** Converts a sensor's value to the policy's input. */
const sensorEntry = z
  .strictObject({ from, ...picture, ...steps, dtype })
  .superRefine((entry, context) => {
    const keys = Object.keys(entry);
    const numeric = keys.find((key) => stepKeys.includes(key));
    const visual = keys.find((key) => pictureKeys.includes(key));
    if (numeric === undefined || visual === undefined) return;
    context.addIssue({
      code: "custom",
      path: [numeric],
      message: `${numeric} is for numbers and ${visual} for pictures; an entry is one of them`,
    });
  });

const concatEntry = z.strictObject({
  concat: z
    .array(z.union([z.strictObject({ from, ...steps }), z.strictObject({ value: vector })]))
    .min(1)
    .describe("one vector, joined from these in order"),
  dtype,
});

const forms = [
  z.string().min(1).describe("a sensor, or a field of one, sent as it is"),
  sensorEntry,
  concatEntry,
  z.strictObject({ value }),
] as const;

const leaf = z.union(forms);

const entry = z.union([
  ...forms,
  z.strictObject({ map: z.record(z.string(), leaf).describe("a map inside the map, by key") }),
]);

const actionPart = z
  .strictObject({
    ...steps,
    value: vector.describe("numbers that the policy does not give").optional(),
  })
  .superRefine((part, context) => {
    if (part.value === undefined || Object.keys(part).length === 1) return;
    context.addIssue({
      code: "custom",
      path: ["value"],
      message: "value stands alone: write the numbers that you want",
    });
  });

const action = z
  .strictObject({
    from: z
      .string()
      .min(1)
      .describe("key of the policy's reply; the dialect's own if absent")
      .optional(),
    parts: z
      .array(actionPart)
      .min(1)
      .describe("the task's action vector, joined from these in order")
      .optional(),
    names: z
      .array(z.string().min(1))
      .min(1)
      .describe(
        "for tasks whose actions are names: one number of the policy counts into this list from 0, of several the largest decides",
      )
      .optional(),
  })
  .superRefine(({ parts, names }, context) => {
    if (!parts || !names) return;
    context.addIssue({
      code: "custom",
      path: ["names"],
      message: "an action is either a vector (parts) or a name (names)",
    });
  });

/** Converts the benchmark's observations and actions to those of a policy made for another benchmark. */
export const mappingSchema = z.union([
  z.enum(MAPPING_PRESETS).describe("a mapping that is kept under this name"),
  z.strictObject({
    preset: z
      .enum(MAPPING_PRESETS)
      .describe("a mapping by name, of which the keys below replace parts")
      .optional(),
    observation: z
      .record(z.string(), entry)
      .describe("what the policy is sent, by the policy's key; nothing else is sent")
      .optional(),
    action: action.describe("how the policy's numbers become the task's action").optional(),
  }),
]);

export type MappingSetting = z.output<typeof mappingSchema>;
export type NumberSteps = Readonly<Pick<z.output<typeof sensorEntry>, keyof typeof steps>>;
export type PictureSteps = Readonly<Pick<z.output<typeof sensorEntry>, keyof typeof picture>>;
export type SensorEntry = Readonly<z.output<typeof sensorEntry>>;
export type ConcatEntry = Readonly<z.output<typeof concatEntry>>;
export type LeafEntry = Readonly<z.output<typeof leaf>>;
export type ObservationMapping = Readonly<Record<string, z.output<typeof entry>>>;
export type ActionMapping = Readonly<z.output<typeof action>>;
