import { z } from "zod";

/**
 * The ten message types. For every task, an observation goes out and an action comes back. Keys are as on the wire;
 * unknown keys are accepted, so that a newer peer can send more.
 */
export const MESSAGE_TYPES = [
  "connect",
  "connected",
  "reset_episode",
  "episode_ready",
  "get_action",
  "action",
  "episode_end",
  "heartbeat",
  "error",
  "disconnect",
] as const;

export type MessageType = (typeof MESSAGE_TYPES)[number];

/** Protocol version of this code. Peers with another major version are rejected. */
export const PROTOCOL_VERSION = "1.0";

export const ENCODINGS = ["msgpack", "json"] as const;
export type Encoding = (typeof ENCODINGS)[number];

const sessionId = z.string().describe("id of the connection, assigned by the listening side");
const seq = z.int().min(0).describe("number of a request; its reply has the same number");
const count = z.int().positive();

const conventionSchema = z.union([z.string(), z.number(), z.boolean()]);

export const capabilitiesSchema = z.looseObject({
  encodings: z
    .array(z.string())
    .describe("encodings of frames after connected, the preferred first: msgpack, json")
    .optional(),
  sensors: z
    .array(z.string())
    .describe("sensors that the policy needs; only these are rendered and sent. Absent: all")
    .optional(),
  action_chunk: count.describe("maximum number of actions in one reply").optional(),
  sessions: count.describe("maximum number of concurrent episodes over the connection").optional(),
  conventions: z
    .record(z.string(), conventionSchema)
    .describe("conventions of the policy's numbers; checked against the task's before the run")
    .optional(),
});

const policyIdentity = z
  .looseObject({
    name: z.string().describe("name of the policy"),
    version: z.string().optional(),
    checkpoint: z.string().describe("the weights that it runs").optional(),
    metadata: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .describe("further facts about the policy, recorded with the run")
      .optional(),
  })
  .describe("what the policy is, recorded with the run and shown with its results");

const connect = z.looseObject({
  type: z.literal("connect"),
  session_id: sessionId.default(""),
  role: z
    .enum(["agent", "evaluator"])
    .describe("what the client is; absent: what the listening side waits for")
    .optional(),
  protocol_version: z.string().optional(),
  token: z.string().describe("access token, if the listening side requires one").optional(),
  capabilities: capabilitiesSchema.optional(),
  policy: policyIdentity.optional(),
  resume: z
    .looseObject({
      session_id: sessionId,
      last_seq: z.int().min(-1),
      resume_token: z.string().optional(),
    })
    .describe("resumes a broken connection")
    .optional(),
});

const connected = z.looseObject({
  type: z.literal("connected"),
  session_id: sessionId.default(""),
  protocol_version: z.string().optional(),
  capabilities: capabilitiesSchema.describe("the negotiated capabilities").optional(),
  policy: policyIdentity.optional(),
  server: z.looseObject({ name: z.string(), version: z.string().optional() }).optional(),
  resume_token: z.string().optional(),
  resumed: z.boolean().optional(),
});

const resetEpisode = z.looseObject({
  type: z.literal("reset_episode"),
  session_id: sessionId,
  episode: z.looseObject({ episode_id: z.string(), task_type: z.string(), scene_id: z.string() }),
  seq: seq.optional(),
});

const episodeReady = z.looseObject({
  type: z.literal("episode_ready"),
  session_id: sessionId,
  episode_id: z.string().optional(),
  seq: seq.optional(),
});

const getAction = z.looseObject({
  type: z.literal("get_action"),
  session_id: sessionId,
  task_type: z.string(),
  observation: z.record(z.string(), z.unknown()),
  seq: seq.optional(),
  step: z.int().min(0).optional(),
});

const action = z
  .looseObject({
    type: z.literal("action"),
    session_id: sessionId,
    action: z
      .unknown()
      .describe(
        "a name, a list of numbers, {name} or {qpos}; of {name, qpos}, the one that the action space has",
      )
      .optional(),
    actions: z.array(z.unknown()).min(1).describe("a chunk: several actions in order").optional(),
    seq: seq.optional(),
    timing: z.looseObject({ infer_ms: z.number() }).partial().optional(),
  })
  .refine((message) => (message.action === undefined) !== (message.actions === undefined), {
    message: "an action message must have either `action` or `actions`",
    path: ["action"],
  });

const metrics = z.record(z.string(), z.unknown());

const episodeEnd = z.looseObject({
  type: z.literal("episode_end"),
  session_id: sessionId,
  episode_id: z.string(),
  reason: z.string(),
  steps: z.int().min(0),
  metrics: metrics.describe("only if the benchmark discloses them").optional(),
});

const heartbeat = z.looseObject({
  type: z.literal("heartbeat"),
  session_id: sessionId.default(""),
  t: z.number().describe("the sender's clock, in any unit").default(0),
  re: z.number().describe("the t of the heartbeat that this answers").optional(),
});

const error = z.looseObject({
  type: z.literal("error"),
  session_id: sessionId.default(""),
  code: z.string(),
  message: z.string(),
  fatal: z.boolean().default(false),
  re_seq: seq.optional(),
});

const disconnect = z.looseObject({
  type: z.literal("disconnect"),
  session_id: sessionId.default(""),
  reason: z.string().optional(),
  metrics: metrics
    .describe("means over all episodes, only if the evaluator discloses the score")
    .optional(),
});

export const messageSchema = z.discriminatedUnion("type", [
  connect,
  connected,
  resetEpisode,
  episodeReady,
  getAction,
  action,
  episodeEnd,
  heartbeat,
  error,
  disconnect,
]);

export type Message = z.output<typeof messageSchema>;
export type MessageOf<T extends MessageType> = Extract<Message, { readonly type: T }>;
export type Capabilities = z.output<typeof capabilitiesSchema>;
export type Conventions = Readonly<Record<string, z.output<typeof conventionSchema>>>;
