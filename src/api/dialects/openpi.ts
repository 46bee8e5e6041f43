import { StopRunError, show } from "../../core/errors.js";
import { packMsgpack, unpackMsgpack } from "../codec/msgpack.js";
import { NdArray } from "../codec/ndarray.js";
import { PeerError } from "../websocket/peer-error.js";
import type { PeerSocket } from "../websocket/peer-socket.js";
import type { Conversation, Dialect } from "./dialect.js";

type Reply = Readonly<Record<string, unknown>>;

/**
 * openpi: the server speaks first, one map of metadata. Then each map of an observation is answered by a map with
 * `actions` (H, A). Episodes, resets and numbers of requests are unknown to it.
 */
export const openpi: Dialect = {
  name: "openpi",
  description: "a policy that openpi serves (WebsocketPolicyServer)",
  headers: apiKey,
  async greet(peer, { mapping, execute, waitMs }): Promise<Conversation> {
    const metadata = await readMetadata(peer, waitMs);
    checkHorizon(metadata, execute);
    return {
      about: metadata,
      mapping,
      actionKeys: ["actions"],
      begin: async () => {},
      infer: (observation, wait) => ask(peer, observation, wait),
      end: async () => {},
    };
  },
};

/** How openpi, and who took its code, asks for access. */
export function apiKey(token: string): Readonly<Record<string, string>> {
  return { Authorization: `Api-Key ${token}` };
}

/** What the server says of itself when a connection opens. */
export async function readMetadata(peer: PeerSocket, waitMs: number): Promise<Reply> {
  try {
    return readMap(await peer.receive(waitMs, "metadata"));
  } catch (error) {
    if (error instanceof PeerError && error.code === "policy_timeout") {
      throw new PeerError(
        "no_metadata",
        `what listens there does not speak first, as servers of openpi's kind do (waited ${waitMs / 1000} s)`,
        {
          where: peer.url,
          hint: "a server of vla-eval is reached by vla-eval+ws://, one of robot-eval by ws://",
        },
      );
    }
    throw error;
  }
}

/**
 * One question and its answer. A text in place of an answer is the policy's traceback; the server then hangs up,
 * and so do we, so that nobody takes the connection for a living one meanwhile.
 */
export async function ask(peer: PeerSocket, request: Reply, waitMs: number): Promise<Reply> {
  await peer.send(packMsgpack(request));
  const frame = await peer.receive(waitMs, "action");
  if (typeof frame === "string") peer.drop();
  return readMap(frame);
}

function readMap(frame: Uint8Array | string): Reply {
  if (typeof frame === "string") throw policyFailed(frame);
  const value = unpackMsgpack(frame);
  if (isMap(value)) return value;
  throw new PeerError("bad_reply", `the policy sent ${show(value)} where a map is due`);
}

export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  return !Array.isArray(value) && !(value instanceof NdArray) && !(value instanceof Uint8Array);
}

/** The traceback's last line says what happened; the whole of it goes into the log. */
export function policyFailed(text: string): PeerError {
  const last = text.trimEnd().split("\n").at(-1)?.trim();
  return new PeerError("policy_error", `the policy failed: ${last || "it does not say why"}`, {
    cause: new Error(text.slice(-8000)),
  });
}

function checkHorizon({ action_horizon: horizon }: Reply, execute: number | undefined): void {
  if (typeof horizon !== "number" || execute === undefined || execute <= horizon) return;
  throw new StopRunError(
    "short_chunk",
    `policy.execute is ${execute}, but the policy gives ${horizon} actions at once`,
    { where: "policy.execute", hint: `set it to ${horizon} or less` },
  );
}
