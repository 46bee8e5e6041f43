import { z } from "zod";
import { NdArray } from "../../api/codec/ndarray.js";

/**
 * The messages between the evaluator and a simulator in another process. The evaluator connects and sends
 * requests; the simulator answers each request once and in order. Keys are in wire format. Unknown keys are
 * accepted, so that a newer peer can send more.
 */
export const SIM_PROTOCOL = "robot-eval-sim/1";
export const SIM_VERSION = "1";

const seq = z.int().min(0).describe("number of a request, repeated in its answer");
const numbers = z.array(z.number());

const taskSchema = z.looseObject({
  name: z.string().describe("the task's name in the benchmark"),
  type: z.string(),
  config: z.record(z.string(), z.unknown()).describe("the task's config in the benchmark"),
});

const continuousSpace = z.looseObject({
  type: z.literal("continuous"),
  low: numbers,
  high: numbers,
  names: z.array(z.string()).optional(),
});

const discreteSpace = z.looseObject({
  type: z.literal("discrete"),
  actions: z.array(z.string()).min(1),
});

const simCapabilitiesSchema = z.looseObject({
  families: z.array(z.string()).optional(),
  tasks: z.array(z.string()).describe("tasks that it supports, if it has a list").optional(),
  sensors: z
    .record(
      z.string(),
      z.looseObject({
        shape: z.array(z.int().min(0)).optional(),
        dtype: z.string().optional(),
        kind: z.enum(["rgb", "depth", "state", "text"]),
      }),
    )
    .default({}),
  action_space: z.discriminatedUnion("type", [continuousSpace, discreteSpace]),
  deterministic: z
    .boolean()
    .describe("the same episode, seed and actions give the same states, to the bit"),
  control_hz: z.number().positive().optional(),
  max_steps: z.int().positive().describe("maximum number of steps of its episodes").optional(),
  units: z.record(z.string(), z.unknown()).optional(),
  conventions: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .describe("meaning of its values; sent to the policy")
    .optional(),
  state_hash: z
    .boolean()
    .describe("states have a `state_hash` of the whole simulation state")
    .default(false),
  geometry: z.union([z.literal(false), z.string()]).optional(),
  max_sessions: z.int().positive().default(1),
});

const connect = z.looseObject({
  type: z.literal("connect"),
  protocol: z.literal(SIM_PROTOCOL),
  versions: z.array(z.string()).min(1),
  client: z.looseObject({ name: z.string(), version: z.string() }),
  token: z.string().describe("access token, if the simulator requires one").optional(),
  task: taskSchema.describe(
    "so that the simulator can create its world before it answers `connected`",
  ),
  sensors: z.array(z.string()).describe("requested sensors; all if absent").optional(),
  sensor_config: z
    .record(z.string(), z.unknown())
    .describe("settings such as width and height, by sensor name")
    .optional(),
});

const connected = z.looseObject({
  type: z.literal("connected"),
  protocol_version: z.string(),
  simulator: z.looseObject({ name: z.string(), version: z.string().optional() }),
  capabilities: simCapabilitiesSchema,
});

const reset = z.looseObject({
  type: z.literal("reset"),
  seq,
  episode: z.looseObject({ episode_id: z.string(), scene_id: z.string(), task_type: z.string() }),
  seed: z
    .int()
    .min(0)
    .max(2 ** 32 - 1)
    .describe("the only source of randomness"),
  task: taskSchema,
});

const step = z.looseObject({
  type: z.literal("step"),
  seq,
  action: z.unknown().describe("a vector (float64 array or list) or a name"),
});

/**
 * Numbers, as a list or an array. A value that is not a number would be recorded as missing, and one that is
 * not finite would invalidate every metric of the episode.
 *
 * @param length the required count; any if absent
 */
const vector = (length?: number) =>
  z
    .unknown()
    .refine((value) => value === undefined || isVector(value, length), {
      message: `must be ${length === undefined ? "" : `${length} `}finite numbers, as a list or an array`,
    })
    .describe("finite numbers: a list or an array");
const position = vector(3);
const rotation = vector(4);
const state = vector();

function isVector(value: unknown, length: number | undefined): boolean {
  const list: unknown = value instanceof NdArray ? value.numbers() : value;
  if (!Array.isArray(list) || (length !== undefined && list.length !== length)) return false;
  return list.every((item) =>
    Array.isArray(item) ? isVector(item, undefined) : Number.isFinite(item),
  );
}

export const simStateSchema = z.looseObject({
  success: z.boolean().describe("whether the simulator's success check holds now"),
  done: z.boolean().default(false),
  reward: z.number().optional(),
  subtasks: z.record(z.string(), z.boolean()).describe("in order of execution").optional(),
  ee_pos: position.optional(),
  ee_quat_wxyz: rotation.optional(),
  gripper: z.number().optional(),
  qpos: state.optional(),
  qvel: state.optional(),
  objects: z
    .record(z.string(), z.looseObject({ pos: position, quat_wxyz: rotation.optional() }))
    .optional(),
  sim_state: state.describe("complete state, from which the simulation can continue").optional(),
  state_hash: z.string().optional(),
  error: z.string().describe("why the simulation is no longer valid").optional(),
});

const frame = z.looseObject({
  type: z.literal("frame"),
  seq,
  observation: z.record(z.string(), z.unknown()),
  state: simStateSchema,
  time_s: z.number().describe("simulated seconds since reset").optional(),
  done: z.boolean().describe("the simulator ends the episode").default(false),
  info: z.unknown().optional(),
});

/** Both the request, with `known`, and its answer. */
const geometry = z.looseObject({
  type: z.literal("geometry"),
  seq,
  known: z
    .array(z.string())
    .describe("in requests: SHA-256 of files that need not be sent again")
    .optional(),
  mjcf: z
    .string()
    .describe("the world since its last reset as MJCF; absent if not available")
    .optional(),
  files: z
    .record(z.string(), z.string())
    .describe("SHA-256 of the model's files, by name in the model")
    .optional(),
  assets: z
    .record(z.string(), z.unknown())
    .describe("bytes of files that are not in `known`; the evaluator requests missing ones again")
    .optional(),
  groups: z.array(z.int()).describe("geom groups to draw; 0 to 2 if absent").optional(),
});

const close = z.looseObject({ type: z.literal("close") });
const closed = z.looseObject({ type: z.literal("closed") });

const heartbeat = z.looseObject({
  type: z.literal("heartbeat"),
  t: z.number().describe("the sender's clock, in any unit"),
  re: z.number().describe("the t that this answers").optional(),
});

const error = z.looseObject({
  type: z.literal("error"),
  seq: seq.nullish(),
  code: z.string(),
  message: z.string(),
  fatal: z.boolean().default(false),
  fault: z
    .enum(["platform", "data", "agent"])
    .describe(
      "platform: the simulator failed; data: the episode is not available; agent: the action is invalid",
    )
    .default("platform"),
});

export const simMessageSchema = z.discriminatedUnion("type", [
  connect,
  connected,
  reset,
  step,
  frame,
  geometry,
  close,
  closed,
  heartbeat,
  error,
]);

export type SimMessage = z.output<typeof simMessageSchema>;
export type SimMessageOf<T extends SimMessage["type"]> = Extract<SimMessage, { readonly type: T }>;
export type SimCapabilities = z.output<typeof simCapabilitiesSchema>;
export type SimState = z.output<typeof simStateSchema>;
export type SimTask = z.output<typeof taskSchema>;
