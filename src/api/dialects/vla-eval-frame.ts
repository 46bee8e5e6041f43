import { ProtocolError, show } from "../../core/errors.js";
import { encodeImage } from "../codec/image.js";
import { packMsgpack, unpackMsgpack } from "../codec/msgpack.js";
import { NdArray } from "../codec/ndarray.js";
import { isMap } from "./openpi.js";

const TYPES = ["hello", "observation", "action", "episode_start", "episode_end", "error"] as const;

export interface VlaEvalMessage {
  readonly type: (typeof TYPES)[number];
  readonly payload: Readonly<Record<string, unknown>>;
  readonly seq: number;
  /** Seconds since 1970. */
  readonly timestamp: number;
}

/** Encodes a message as vla-eval's own client does: arrays with text keys, colour images as PNG. */
export async function packVlaEval(message: VlaEvalMessage): Promise<Buffer> {
  const { type, payload, seq, timestamp } = message;
  return packMsgpack({ type, payload: await withPng(payload), seq, timestamp }, "text");
}

export function unpackVlaEval(frame: Uint8Array | string): VlaEvalMessage {
  if (typeof frame === "string") {
    throw new ProtocolError(
      "bad_frame",
      `expected MessagePack, received a text frame: ${show(frame)}`,
    );
  }
  const value = unpackMsgpack(frame);
  if (!isMap(value)) throw new ProtocolError("bad_frame", `${show(value)} is not a message`);
  const { type, payload, seq, timestamp } = value;
  const known = TYPES.find((name) => name === type);
  if (known === undefined || !isMap(payload)) {
    throw new ProtocolError("bad_frame", `${show(value)} is not a vla-eval message`, {
      hint: `type must be one of ${TYPES.join(", ")}, and payload a map`,
    });
  }
  return { type: known, payload, seq: Number(seq), timestamp: Number(timestamp) };
}

async function withPng(value: unknown): Promise<unknown> {
  if (value instanceof NdArray) return isPicture(value) ? png(value) : value;
  if (!isMap(value)) return value;
  const entries = Object.entries(value).map(
    async ([key, item]) => [key, await withPng(item)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

function isPicture({ dtype, shape }: NdArray): boolean {
  return dtype === "|u1" && shape.length === 3 && shape[2] === 3;
}

async function png(array: NdArray): Promise<Record<string, unknown>> {
  const [height = 0, width = 0] = array.shape;
  const data = await encodeImage({ kind: "rgb", width, height, data: array.bytes() });
  return { __image__: true, format: "png", data, shape: array.shape };
}
