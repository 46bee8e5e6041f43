import { setTimeout as pause } from "node:timers/promises";
import { WebSocket } from "ws";
import { asPeerError, httpStatus, silent } from "./dial-errors.js";
import { DIALING, Link } from "./link.js";
import { PeerError } from "./peer-error.js";

/** Largest frame that is taken from a policy: a chunk of actions is a few kilobytes. */
export const POLICY_FRAME_BYTES = 16 * 2 ** 20;

/** Between attempts, doubling from the first to the last. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2000;

export interface DialOptions {
  /** For all attempts together. */
  readonly timeoutMs: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Bytes of a frame; a larger one ends the connection with 1009. */
  readonly maxPayload?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Given each socket before it opens: a peer that speaks first may be heard before `open` is dealt with. */
  readonly prepare?: ((socket: WebSocket) => void) | undefined;
  /** Told before each new attempt why the last one failed. */
  readonly onRetry?: ((why: PeerError) => void) | undefined;
}

/** Opens a WebSocket. A peer that is still starting is tried again until the time is up. */
export async function dial(url: string, options: DialOptions): Promise<Link> {
  const links = new WeakMap<WebSocket, Link>();
  const prepare = (socket: WebSocket) => void links.set(socket, new Link(socket));
  const socket = await openSocket(url, { ...options, prepare });
  return links.get(socket) ?? new Link(socket);
}

/** The same without our messages, for those who speak another language over it. */
export async function openSocket(url: string, options: DialOptions): Promise<WebSocket> {
  checkUrl(url);
  return retrying(options, (leftMs) => attempt(url, leftMs, options));
}

/** Tries again what failed for a passing reason, with longer and longer pauses, until the time is up. */
export async function retrying<T>(
  { timeoutMs, signal, onRetry }: Pick<DialOptions, "timeoutMs" | "signal" | "onRetry">,
  work: (leftMs: number) => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  let before: PeerError | undefined;
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(2 * wait, LONGEST_PAUSE_MS)) {
    try {
      return await work(Math.max(1, deadline - performance.now()));
    } catch (error) {
      const left = deadline - performance.now();
      const isPassing = error instanceof PeerError && error.transient;
      // Why it did not work all the time says more than that the last attempt had too little of it.
      if (left <= 0 && (isPassing || isTimeout(error))) throw before ?? error;
      if (!isPassing || left <= 0) throw error;
      before = error;
      onRetry?.(error);
      // The last attempt comes when the time is all but up, not a whole pause earlier.
      await pause(Math.min(wait, left), undefined, { signal });
    }
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof PeerError && error.code === "connect_timeout";
}

function checkUrl(url: string): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed && (parsed.protocol === "ws:" || parsed.protocol === "wss:")) return;
  throw new PeerError("bad_url", `"${url}" is not the address of a WebSocket`, {
    hint: "write ws://host:port, or wss:// where the server has TLS",
  });
}

function attempt(url: string, leftMs: number, options: DialOptions): Promise<WebSocket> {
  const { headers, signal, maxPayload = POLICY_FRAME_BYTES } = options;
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, {
      ...DIALING,
      maxPayload,
      ...(headers ? { headers: { ...headers } } : {}),
    });
    options.prepare?.(socket);
    const timer = setTimeout(() => fail(silent(url, leftMs)), leftMs);
    const abandon = () => fail(signal?.reason);
    let isOpened = false;
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abandon);
    };
    const fail = (error: unknown) => {
      // What comes after `open` is for who has the socket.
      if (isOpened) return;
      settle();
      reject(error);
      socket.terminate();
    };
    signal?.addEventListener("abort", abandon);
    socket.on("unexpected-response", (_, response) => fail(httpStatus(url, response)));
    socket.on("error", (error) => fail(asPeerError(url, error)));
    socket.once("open", () => {
      isOpened = true;
      settle();
      resolve(socket);
    });
  });
}
