import { z } from "zod";

/** Forms of a rotation. Angles are radians; euler_xyz rotates about the fixed axes x, y, z in this order. */
export const ROTATIONS = [
  "quat_wxyz",
  "quat_xyzw",
  "axis_angle",
  "axis_angle_full",
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
    .refine(([first, end]) => first < end, { message: "the first index must be below the end" })
    .describe("[first, end) of the numbers to keep; all if absent")
    .optional(),
  rotation: z
    .strictObject({
      from: z.enum(ROTATIONS).describe("the form of the input"),
      to: z.enum(ROTATIONS).describe("the form of the output"),
    })
    .describe(
      "converts a rotation to another form; euler_xyz rotates about fixed axes, rotation_6d is the first two columns of the matrix one after the other, rotation_6d_interleaved the same two columns row by row",
    )
    .optional(),
  scale: z.number().describe("factor of each number").optional(),
  range: z
    .strictObject({
      from: pair.refine(([a, b]) => a !== b, { message: "the two ends must differ" }),
      to: pair,
    })
    .describe("maps numbers linearly: from[0] to to[0], from[1] to to[1]")
    .optional(),
  clip: pair.describe("[lowest, highest]: numbers outside are clamped").optional(),
  switch: z
    .strictObject({
      at: z.number(),
      below: z.number().describe("the result for numbers up to `at`"),
      above: z.number().describe("the result for numbers above it"),
    })
    .describe("replaces each number by one of two, for grippers that only open and close")
    .optional(),
  repeat: z.int().positive().describe("how often the numbers are repeated").optional(),
};

const from = z.string().min(1).describe("a sensor, or a field of one: `instruction.text`");
const value = z
  .union([z.string(), z.number(), z.boolean(), vector])
  .describe("a constant, the same in every step");
const dtype = z
  .enum(["float32", "float64"])
  .describe("type of the array; float64, NumPy's default, if absent")
  .optional();

const picture = {
  resize: z.tuple([z.int().positive(), z.int().positive()]).describe("[width, height]").optional(),
  fit: z
    .enum(["stretch", "pad"])
    .describe(
      "how an image is fitted to another aspect ratio: stretched, or complete with black bars (pad, if absent)",
    )
    .optional(),
  flip: z
    .enum(["vertical", "horizontal", "both"])
    .describe("flips the image upside down, mirrors it, or rotates it by 180°")
    .optional(),
  layout: z
    .enum(["hwc", "chw"])
    .describe("order of the axes: rows of pixels (hwc, if absent) or one plane per channel")
    .optional(),
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
      message: `${numeric} is for numbers and ${visual} for images; use them in separate entries`,
    });
  });

const concatEntry = z.strictObject({
  concat: z
    .array(z.union([z.strictObject({ from, ...steps }), z.strictObject({ value: vector })]))
    .min(1)
    .describe("one vector, concatenated from these in order"),
  dtype,
});

const forms = [
  z.string().min(1).describe("a sensor, or a field of one, sent unchanged"),
  sensorEntry,
  concatEntry,
  z.strictObject({ value }),
] as const;

const leaf = z.union(forms);

const entry = z.union([
  ...forms,
  z.strictObject({ map: z.record(z.string(), leaf).describe("a nested map by key") }),
]);

const actionPart = z
  .strictObject({
    ...steps,
    value: vector.describe("constant numbers that the policy does not provide").optional(),
  })
  .superRefine((part, context) => {
    if (part.value === undefined || Object.keys(part).length === 1) return;
    context.addIssue({
      code: "custom",
      path: ["value"],
      message: "value cannot be combined with other keys: write the final numbers",
    });
  });

const action = z
  .strictObject({
    from: z
      .string()
      .min(1)
      .describe("key of the policy's reply; the dialect's default if absent")
      .optional(),
    parts: z
      .array(actionPart)
      .min(1)
      .describe("the task's action vector, concatenated from these in order")
      .optional(),
    names: z
      .array(z.string().min(1))
      .min(1)
      .describe(
        "for tasks with named actions: a single number of the policy is an index into this list, from 0; of several numbers, the index of the largest is used",
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
  z.enum(MAPPING_PRESETS).describe("the name of a preset mapping"),
  z.strictObject({
    preset: z
      .enum(MAPPING_PRESETS)
      .describe("a preset mapping, of which the keys below replace parts")
      .optional(),
    observation: z
      .record(z.string(), entry)
      .describe("the observation sent to the policy, by the policy's keys; nothing else is sent")
      .optional(),
    action: action
      .describe("how the policy's numbers are converted to the task's action")
      .optional(),
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
