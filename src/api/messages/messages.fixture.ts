import fc from "fast-check";
import type { Message } from "./base.js";

const text = fc.string({ maxLength: 20 });
const seq = fc.nat(2 ** 40);
const finite = fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0);
const action = fc.oneof(
  text,
  fc.array(finite, { minLength: 1 }),
  fc.record({ name: text }),
  fc.record({ qpos: fc.array(finite) }),
  fc.record({ name: text, qpos: fc.array(finite) }),
);

function message<T extends Record<string, fc.Arbitrary<unknown>>>(
  type: Message["type"],
  required: T,
  optional: Record<string, fc.Arbitrary<unknown>> = {},
): fc.Arbitrary<Message> {
  const fields = { type: fc.constant(type), session_id: text, ...required };
  const record = fc.record(
    { ...fields, ...optional, x_later: fc.jsonValue().map(positive) },
    { requiredKeys: Object.keys(fields) },
  );
  return record as unknown as fc.Arbitrary<Message>;
}

const capabilities = fc.record(
  {
    encodings: fc.array(text),
    sensors: fc.array(text),
    action_chunk: fc.integer({ min: 1, max: 100 }),
    sessions: fc.integer({ min: 1, max: 100 }),
    conventions: fc.dictionary(name(), fc.oneof(text, finite, fc.boolean())),
  },
  { requiredKeys: [] },
);

/** Messages of all ten types, with and without optional fields, and with an unknown field. */
export const messages: fc.Arbitrary<Message> = fc.oneof(
  message(
    "connect",
    {},
    {
      role: fc.constantFrom("agent", "evaluator"),
      protocol_version: text,
      token: text,
      capabilities,
      resume: fc.record({ session_id: text, last_seq: fc.integer({ min: -1 }) }),
    },
  ),
  message(
    "connected",
    {},
    { protocol_version: text, capabilities, resume_token: text, resumed: fc.boolean() },
  ),
  message(
    "reset_episode",
    { episode: fc.record({ episode_id: text, task_type: text, scene_id: text, seed: fc.nat() }) },
    { seq },
  ),
  message("episode_ready", {}, { episode_id: text, seq }),
  message(
    "get_action",
    { task_type: text, observation: fc.dictionary(name(), fc.jsonValue().map(positive)) },
    { seq, step: fc.nat() },
  ),
  message("action", { action }, { seq, timing: fc.record({ infer_ms: finite }) }),
  message("action", { actions: fc.array(action, { minLength: 1 }) }, { seq }),
  message("episode_end", { episode_id: text, reason: text, steps: fc.nat() }),
  message("heartbeat", { t: finite }, { re: finite }),
  message("error", { code: text, message: text, fatal: fc.boolean() }, { re_seq: seq }),
  message("disconnect", {}, { reason: text, metrics: fc.dictionary(name(), finite) }),
);

/** A sensor or convention name; not `__proto__`, which cannot be assigned to a plain object. */
function name(): fc.Arbitrary<string> {
  return fc.string({ maxLength: 12 }).filter((key) => key !== "__proto__");
}

/** Replaces minus zero, which JSON cannot express. */
function positive(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
