import { z } from "zod";

const seconds = (what: string) => z.number().positive().describe(`seconds ${what}`);
const vector = z.array(z.number()).min(1);
const slice = z.tuple([z.int().min(0), z.int().min(1)]);

const ROTATIONS = ["quat_wxyz", "quat_xyzw", "axis_angle", "euler_xyz", "rotation_6d"] as const;

/** Numbers of one sensor, changed into what the policy learnt with. */
const partSchema = z.strictObject({
  from: z.string().describe("a sensor, or a field of one: `instruction.text`"),
  take: slice.describe("[first, after the last] of its numbers").optional(),
  rotation: z
    .strictObject({ from: z.enum(ROTATIONS), to: z.enum(ROTATIONS) })
    .describe("the numbers taken are a rotation, written in another way")
    .optional(),
  range: z
    .strictObject({
      from: z.tuple([z.number(), z.number()]),
      to: z.tuple([z.number(), z.number()]),
    })
    .describe("moves numbers linearly: from[0] becomes to[0], from[1] becomes to[1]")
    .optional(),
  repeat: z.int().positive().describe("the numbers, so many times").optional(),
});

const pictureSchema = z.strictObject({
  from: z.string().describe("a camera's sensor"),
  resize: z.tuple([z.int().positive(), z.int().positive()]).describe("[width, height]").optional(),
  fit: z
    .enum(["stretch", "pad"])
    .describe("how the picture meets another shape: stretched, or whole with black bars")
    .optional(),
  flip: z.enum(["vertical", "horizontal", "both"]).describe("upside down, mirrored").optional(),
  layout: z.enum(["hwc", "chw"]).optional(),
});

/** One entry of what a policy is sent: a picture, a vector made of parts, a text or a constant. */
const entrySchema = z.union([
  z.string().describe("a sensor's name, sent as it is"),
  pictureSchema,
  partSchema,
  z.strictObject({
    concat: z.array(z.union([partSchema, z.strictObject({ value: vector })])).min(1),
    dtype: z.enum(["float32", "float64"]).optional(),
  }),
  z.strictObject({ value: z.union([z.string(), z.number(), z.boolean(), vector]) }),
]);

const actionSchema = z.strictObject({
  parts: z
    .array(
      z.strictObject({
        take: slice.describe("[first, after the last] of the policy's numbers").optional(),
        value: vector.describe("numbers that the policy does not give").optional(),
        rotation: z.strictObject({ from: z.enum(ROTATIONS), to: z.enum(ROTATIONS) }).optional(),
        scale: z.number().optional(),
        range: z
          .strictObject({
            from: z.tuple([z.number(), z.number()]),
            to: z.tuple([z.number(), z.number()]),
          })
          .optional(),
        threshold: z
          .number()
          .describe("numbers above it become the range's second end, others its first")
          .optional(),
      }),
    )
    .min(1)
    .describe("the task's action, joined from these in order"),
});

/** How observations and actions of the benchmark become those of a policy that was made for another. */
const mappingSchema = z.strictObject({
  observation: z.record(z.string(), entrySchema).describe("by the policy's key").optional(),
  action: actionSchema.optional(),
});

/** The `policy:` section: how to talk to a policy that runs elsewhere. */
export const policySchema = z.strictObject({
  connect_timeout: seconds("to wait for a connection").default(30),
  cold_start_timeout: seconds("for a connection's first episode_ready and first action").default(
    600,
  ),
  action_timeout: seconds("for every later answer").default(60),
  reconnect_grace: z
    .number()
    .min(0)
    .describe("seconds in which a broken connection may come back and the episode goes on")
    .default(30),
  encoding: z
    .enum(["auto", "json", "msgpack"])
    .describe("of frames; auto takes msgpack where the policy knows it")
    .default("auto"),
  execute: z
    .int()
    .positive()
    .describe(
      "of a chunk of actions, how many are done before the policy is asked again; all if absent",
    )
    .optional(),
  sessions: z
    .int()
    .positive()
    .describe("the most episodes side by side over one connection")
    .default(64),
  token: z
    .string()
    .describe("for policies that ask for one; better set by --set or ROBOT_EVAL_POLICY_TOKEN")
    .optional(),
  mapping: mappingSchema.optional(),
});

export type PolicySettings = Readonly<z.output<typeof policySchema>>;
export type Mapping = Readonly<z.output<typeof mappingSchema>>;
