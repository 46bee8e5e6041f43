import { packMsgpack } from "../../src/api/codec/msgpack.js";
import { NdArray } from "../../src/api/codec/ndarray.js";
import type { MessageType } from "../../src/api/messages/base.js";
import type { Random } from "../../src/core/math/random.js";

type Fields = Record<string, unknown>;

/** One message as a hostile peer sends it. */
export interface FuzzFrame {
  /** Description of the mutation. */
  readonly how: string;
  readonly data: Buffer;
  readonly isBinary: boolean;
  /** Number of WebSocket frames to split it into. */
  readonly pieces: number;
}

/** Ids that valid messages of the connection use, so that mutants pass the first checks. */
export interface FuzzPlace {
  readonly sessionId: string;
  readonly seq: number;
}

/** A valid message of each type, with all its fields. */
const SAMPLES: Readonly<Record<MessageType, (place: FuzzPlace) => Fields>> = {
  connect: () => ({
    role: "agent",
    protocol_version: "1.0",
    token: "t",
    capabilities: {
      encodings: ["msgpack", "json"],
      sensors: ["gps"],
      action_chunk: 2,
      sessions: 2,
      conventions: { action_space: "discrete" },
    },
    resume: { session_id: "s", last_seq: 3, resume_token: "r" },
  }),
  connected: ({ sessionId }) => ({
    session_id: sessionId,
    protocol_version: "1.0",
    capabilities: { encodings: ["json"], sessions: 2, action_chunk: 2, conventions: { a: 1 } },
    server: { name: "fuzz", version: "1" },
    resume_token: "r",
    resumed: false,
  }),
  reset_episode: ({ sessionId, seq }) => ({
    session_id: sessionId,
    seq,
    episode: {
      ...{ episode_id: "1", task_type: "vln", scene_id: "house", goals: null, seed: 7 },
      instruction: { text: "go to the door" },
      action_space: { name: "discrete", actions: ["stop", "move_forward"] },
      sensors: ["gps"],
    },
  }),
  episode_ready: ({ sessionId, seq }) => ({ session_id: sessionId, seq, episode_id: "1" }),
  get_action: ({ sessionId, seq }) => ({
    ...{ session_id: sessionId, seq, step: 1, task_type: "vln" },
    observation: {
      gps: [1, 2.5],
      rgb: new NdArray("|u1", [2, 3, 3], new Uint8Array(18).fill(9)),
      depth: new NdArray("<f4", [2, 3], new Float32Array(6).fill(1)),
      instruction: { text: "go" },
    },
  }),
  action: ({ sessionId, seq }) => ({
    ...{ session_id: sessionId, seq, action: "move_forward", timing: { infer_ms: 1.5 } },
  }),
  episode_end: ({ sessionId }) => ({
    ...{ session_id: sessionId, episode_id: "1", reason: "stop", steps: 4, metrics: { spl: 1 } },
  }),
  heartbeat: ({ sessionId }) => ({ session_id: sessionId, t: 12.5 }),
  error: ({ sessionId, seq }) => ({
    ...{ session_id: sessionId, code: "odd", message: "very", fatal: false, re_seq: seq },
  }),
  disconnect: ({ sessionId }) => ({ session_id: sessionId, reason: "enough" }),
};

/** Message types by weight; `disconnect` and `error` are rare because they end the connection. */
const OFTEN = ["reset_episode", "get_action", "action", "episode_ready"] as const;
const NOW_AND_THEN = ["heartbeat", "episode_end", "connect", "connected"] as const;
const TYPES: readonly MessageType[] = [
  ...[...OFTEN, ...OFTEN, ...NOW_AND_THEN, ...OFTEN, ...OFTEN, ...NOW_AND_THEN],
  ...(["error", "disconnect"] as const),
];

/** Replacements for any value. */
const ODD: readonly ((random: Random) => unknown)[] = [
  () => null,
  () => true,
  () => -1,
  () => 0.5,
  () => 1e308,
  () => 2 ** 53,
  () => Number.NaN,
  () => Number.POSITIVE_INFINITY,
  () => "",
  () => "__proto__",
  () => "\u0000\ud800",
  () => [],
  () => ({}),
  () => [null],
  () => JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
  (random) => nested(random.below(50)),
  (random) => "x".repeat(10 ** (1 + random.below(5))),
  (random) => Array.from({ length: random.below(2000) }, () => 0.25),
  // An array whose shape contradicts its data.
  (random) => ({
    __ndarray__: true,
    data: Buffer.alloc(random.below(32)),
    dtype: random.pick(["<f8", "|O", "|V8", "<c16", "", 3, ">i4"]),
    shape: random.pick<unknown>([[2 ** 31, 2 ** 31], [-1], [1e308], "2", null, [0, 0], [3, 1]]),
  }),
  () => ({ __npgeneric__: true, data: Buffer.alloc(3), dtype: "<f8" }),
  () => "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ",
  () => "k05VTVBZAQB2AHsnZGVzY3InOiAnPGY4JywgJ3NoYXBlJzog",
];

/** Mutates valid messages deterministically for a seed. */
export class Fuzzer {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  next(place: FuzzPlace): FuzzFrame {
    const random = this.#random;
    const isBinary = random.below(2) === 1;
    const type = random.pick(TYPES);
    const mutate = random.below(80) === 0 ? notUtf8 : random.pick(MUTATIONS);
    const { how, data } = mutate({ random, place, isBinary, type });
    const pieces = random.below(10) === 0 ? 2 + random.below(3) : 1;
    // Occasionally send text as binary and vice versa.
    const asOther = random.below(25) === 0;
    return { how: `${type}: ${how}`, data, isBinary: isBinary !== asOther, pieces };
  }
}

/** An unmodified message. */
export function soundFrame(type: MessageType, place: FuzzPlace, isBinary: boolean): FuzzFrame {
  return {
    how: `${type}: sound`,
    data: encode(sample(type, place), isBinary),
    isBinary,
    pieces: 1,
  };
}

interface Draft {
  readonly random: Random;
  readonly place: FuzzPlace;
  readonly isBinary: boolean;
  readonly type: MessageType;
}

type Mutation = (draft: Draft) => { readonly how: string; readonly data: Buffer };

function sample(type: MessageType, place: FuzzPlace): Fields {
  return { type, ...SAMPLES[type](place) };
}

function encode(value: unknown, isBinary: boolean): Buffer {
  // Copy: the encoder reuses its buffer.
  if (isBinary) return Buffer.from(packMsgpack(value));
  return Buffer.from(JSON.stringify(value, listsOfArrays) ?? "", "utf8");
}

/** Converts typed arrays to lists for JSON; non-finite numbers become null. */
function listsOfArrays(_: string, value: unknown): unknown {
  return value instanceof NdArray ? value.numbers() : value;
}

function sound({ type, place, isBinary }: Draft): Buffer {
  return encode(sample(type, place), isBinary);
}

function onValues(how: string, change: (message: Fields, random: Random) => void): Mutation {
  return ({ random, place, isBinary, type }) => {
    const message = sample(type, place);
    change(message, random);
    return { how, data: encode(message, isBinary) };
  };
}

function onBytes(how: string, change: (bytes: Buffer, draft: Draft) => Buffer): Mutation {
  return (draft) => ({ how, data: change(sound(draft), draft) });
}

/** Picks an object of the message uniformly, and one of its fields. */
function someField(message: Fields, random: Random): readonly [Fields, string] {
  const objects: Fields[] = [message];
  for (const object of objects) {
    for (const value of Object.values(object)) {
      const isPlain = typeof value === "object" && value !== null && !(value instanceof NdArray);
      if (isPlain && !Buffer.isBuffer(value)) objects.push(value as Fields);
    }
  }
  const object = random.below(2) === 0 ? message : random.pick(objects);
  return [object, random.pick([...Object.keys(object), "another"])];
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

/** MessagePack headers that announce 4 billion bytes or entries. */
const ANNOUNCED = ["c6ffffffff", "dbffffffff", "ddffffffff", "dfffffffff", "c9ffffffff05"];

const MUTATIONS: readonly Mutation[] = [
  onValues("a field of another kind", (message, random) => {
    const [object, key] = someField(message, random);
    object[key] = random.pick(ODD)(random);
  }),
  onValues("two fields of another kind", (message, random) => {
    for (let i = 0; i < 2; i++) {
      const [object, key] = someField(message, random);
      object[key] = random.pick(ODD)(random);
    }
  }),
  onValues("a field less", (message, random) => {
    const [object, key] = someField(message, random);
    delete object[key];
  }),
  onValues("a field more", (message, random) => {
    const [object] = someField(message, random);
    const key = random.pick(["x", "constructor", "toString", "", "__ndarray__", "y".repeat(300)]);
    object[key] = random.pick(ODD)(random);
  }),
  onValues("another type", (message, random) => {
    message.type = random.pick<unknown>([
      ...["dance", "Action", "action ", "", "__proto__", "constructor", 7, null, ["action"]],
    ]);
  }),
  onValues("another session or number", (message, random) => {
    message.session_id = random.pick<unknown>(["", "s", `${message.session_id}/1`, 5, "../.."]);
    if ("seq" in message) message.seq = random.pick<unknown>([0, -1, 1e15, 2 ** 53, "1", 0.5]);
  }),
  ({ random, place, isBinary, type }) => ({
    how: "an action of another kind",
    data: encode(
      {
        ...sample("action", place),
        ...(type === "action" ? { action: undefined, actions: [random.pick(ODD)(random)] } : {}),
        ...(type === "action" ? {} : { action: random.pick(ODD)(random) }),
      },
      isBinary,
    ),
  }),
  onValues("not changed", () => {}),
  onBytes("bits flipped", (bytes, { random, isBinary }) => {
    for (let i = 1 + random.below(4); i > 0; i--) {
      const at = random.below(bytes.length);
      // A flipped top bit makes text invalid UTF-8, which ends the connection and hides later mutations.
      const bit = isBinary || random.below(8) === 0 ? random.below(8) : random.below(7);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
    }
    return bytes;
  }),
  onBytes("cut short", (bytes, { random }) => bytes.subarray(0, random.below(bytes.length))),
  onBytes("a part twice", (bytes, { random }) => {
    const at = random.below(bytes.length);
    const part = bytes.subarray(at, at + 1 + random.below(40));
    return Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)]);
  }),
  onBytes("two spliced", (bytes, { random, place, isBinary }) => {
    const other = encode(sample(random.pick(TYPES), place), isBinary);
    const cut = (of: Buffer) => random.below(of.length);
    return Buffer.concat([bytes.subarray(0, cut(bytes)), other.subarray(cut(other))]);
  }),
  onBytes("twice in a frame", (bytes) => Buffer.concat([bytes, bytes])),
  onBytes("a huge length announced", (bytes, { random, isBinary }) => {
    const at = random.below(bytes.length);
    const lead = Buffer.from(random.pick(ANNOUNCED), "hex");
    const number = Buffer.from(random.pick(["1e999999", "-", "[".repeat(50), "9".repeat(400)]));
    return Buffer.concat([bytes.subarray(0, at), isBinary ? lead : number, bytes.subarray(at)]);
  }),
  ({ random, isBinary, type }) => {
    // Keep the deepest nesting rare: it takes as long as a hundred other messages.
    const depth = 10 ** (random.below(8) === 0 ? 5 : 2 + random.below(3));
    const list = isBinary
      ? Buffer.concat([Buffer.alloc(depth, 0x91), Buffer.from([1])])
      : Buffer.from(`${"[".repeat(depth)}${"]".repeat(depth)}`);
    if (isBinary || random.below(2) === 0) return { how: "deep lists", data: list };
    const data = Buffer.from(
      `{"type":"${type}","session_id":"","observation":{"a":${list}},"a":${list}}`,
    );
    return { how: "deep lists in a message", data };
  },
  ({ random }) => ({
    how: "noise",
    data: Buffer.from(Array.from({ length: random.below(200) }, () => random.below(128))),
  }),
  () => ({ how: "empty", data: Buffer.alloc(0) }),
];

/** Rare, because it ends the connection when sent as text. */
const notUtf8: Mutation = ({ random }) => ({
  how: "text that is no UTF-8",
  data: Buffer.concat([
    Buffer.from('{"type":"heartbeat","t":1,"x":"'),
    Buffer.from(random.pick(["ff", "c080", "eda080", "f8888080"]), "hex"),
    Buffer.from('"}'),
  ]),
});
