import { z } from "zod";

/**
 * The ten messages. Whatever the task is, an observation goes out and an action comes back. Keys are as they
 * travel; unknown ones are let through, so that a newer peer can say more than we know.
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

/** The protocol that this code speaks. Peers of another first number are refused. */
export const PROTOCOL_VERSION = "1.0";

export const ENCODINGS = ["msgpack", "json"] as const;
export type Encoding = (typeof ENCODINGS)[number];

const sessionId = z.string().describe("the connection's, given by who listens");
const seq = z.int().min(0).describe("the number of a request; its reply carries the same");
const count = z.int().positive();

const conventionSchema = z.union([z.string(), z.number(), z.boolean()]);

export const capabilitiesSchema = z.looseObject({
  encodings: z
    .array(z.string())
    .describe("of frames after connected, the preferred first: msgpack, json")
    .optional(),
  sensors: z
    .array(z.string())
    .describe("what the policy wants to see; only this is rendered and sent. Absent: everything")
    .optional(),
  action_chunk: count.describe("the most actions that one reply may hold").optional(),
  sessions: count.describe("episodes that may run side by side over the connection").optional(),
  conventions: z
    .record(z.string(), conventionSchema)
    .describe("what the policy's numbers mean; compared with the task's before anything runs")
    .optional(),
});

const connect = z.looseObject({
  type: z.literal("connect"),
  session_id: sessionId.default(""),
  role: z.enum(["agent", "evaluator"]),
  protocol_version: z.string().optional(),
  token: z.string().describe("grants access, where the listener asks for one").optional(),
  capabilities: capabilitiesSchema.optional(),
  resume: z
    .looseObject({
      session_id: sessionId,
      last_seq: z.int().min(-1),
      resume_token: z.string().optional(),
    })
    .describe("takes up a connection that broke off")
    .optional(),
});

const connected = z.looseObject({
  type: z.literal("connected"),
  session_id: sessionId.default(""),
  protocol_version: z.string().optional(),
  capabilities: capabilitiesSchema.describe("what both will use").optional(),
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
    action: z.unknown().describe("a name, a list of numbers, {name} or {qpos}").optional(),
    actions: z.array(z.unknown()).min(1).describe("a chunk: several such, in order").optional(),
    seq: seq.optional(),
    timing: z.looseObject({ infer_ms: z.number() }).partial().optional(),
  })
  .refine((message) => (message.action === undefined) !== (message.actions === undefined), {
    message: "an action message has either `action` or `actions`",
    path: ["action"],
  });

const episodeEnd = z.looseObject({
  type: z.literal("episode_end"),
  session_id: sessionId,
  episode_id: z.string(),
  reason: z.string(),
  steps: z.int().min(0),
  metrics: z.record(z.string(), z.unknown()).describe("only where disclosed").optional(),
});

const heartbeat = z.looseObject({
  type: z.literal("heartbeat"),
  session_id: sessionId.default(""),
  t: z.number().describe("the sender's clock, in any unit"),
  re: z.number().describe("the t that this answers").optional(),
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
