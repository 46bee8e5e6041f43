import { StopRunError, show } from "../../core/errors.js";
import { packMsgpack, unpackMsgpack } from "../codec/msgpack.js";
import { NdArray } from "../codec/ndarray.js";
import { PeerError } from "../websocket/peer-error.js";
import type { PeerSocket } from "../websocket/peer-socket.js";
import type { Conversation, Dialect } from "./dialect.js";

type Reply = Readonly<Record<string, unknown>>;

/**
 * openpi: the server sends one map of metadata first. Then it answers each observation map with a map that has
 * `actions` (H, A). The protocol has no episodes, resets or request numbers.
 */
export const openpi: Dialect = {
  name: "openpi",
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

/** The access token header of openpi and servers derived from it. */
export function apiKey(token: string): Readonly<Record<string, string>> {
  return { Authorization: `Api-Key ${token}` };
}

/** Receives the metadata that the server sends when a connection opens. */
export async function readMetadata(peer: PeerSocket, waitMs: number): Promise<Reply> {
  try {
    return readMap(await peer.receive(waitMs, "metadata"));
  } catch (error) {
    if (error instanceof PeerError && error.code === "policy_timeout") {
      throw new PeerError(
        "no_metadata",
        `the server sent no metadata within ${waitMs / 1000} s; an openpi server sends it first`,
        {
          where: peer.url,
          hint: "use vla-eval+ws:// for a vla-eval server, ws:// for a robot-eval policy",
        },
      );
    }
    throw error;
  }
}

/**
 * Sends a request and returns its reply. A text reply is the policy's traceback; the server then closes the
 * connection. Close it here too, so that the broken connection is not reused.
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
  throw new PeerError("bad_reply", `the policy sent ${show(value)}; a map was expected`);
}

export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  return !Array.isArray(value) && !(value instanceof NdArray) && !(value instanceof Uint8Array);
}

/** Reports the last line of the traceback; the whole traceback goes into the log. */
export function policyFailed(text: string): PeerError {
  const last = text.trimEnd().split("\n").at(-1)?.trim();
  return new PeerError("policy_error", `the policy failed: ${last || "no message"}`, {
    cause: new Error(text.slice(-8000)),
  });
}

function checkHorizon({ action_horizon: horizon }: Reply, execute: number | undefined): void {
  if (typeof horizon !== "number" || execute === undefined || execute <= horizon) return;
  throw new StopRunError(
    "short_chunk",
    `policy.execute is ${execute}, but the policy returns chunks of ${horizon} actions`,
    { where: "policy.execute", hint: `set it to ${horizon} or less` },
  );
}
