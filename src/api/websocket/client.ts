import { setTimeout as pause } from "node:timers/promises";
import { WebSocket } from "ws";
import { asPeerError, httpStatus, silent } from "./dial-errors.js";
import { DIALING, Link } from "./link.js";
import { PeerError } from "./peer-error.js";

/** Largest frame accepted from a policy; a chunk of actions is a few kilobytes. */
export const POLICY_FRAME_BYTES = 16 * 2 ** 20;

/** Pause between attempts, doubling from the first to the last. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2000;

export interface DialOptions {
  /** Timeout for all attempts together. */
  readonly timeoutMs: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Maximum frame size in bytes; a larger frame closes the connection with 1009. */
  readonly maxPayload?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with each socket before it opens, because a peer that sends first may be read before `open` is handled. */
  readonly prepare?: ((socket: WebSocket) => void) | undefined;
  /** Called before each new attempt with the error of the last one. */
  readonly onRetry?: ((why: PeerError) => void) | undefined;
}

/** Opens a WebSocket. Retries until the timeout while the peer is starting. */
export async function dial(url: string, options: DialOptions): Promise<Link> {
  const links = new WeakMap<WebSocket, Link>();
  const prepare = (socket: WebSocket) => void links.set(socket, new Link(socket));
  const socket = await openSocket(url, { ...options, prepare });
  return links.get(socket) ?? new Link(socket);
}

/** Opens a WebSocket without our messages, for other protocols. */
export async function openSocket(url: string, options: DialOptions): Promise<WebSocket> {
  checkUrl(url);
  return retrying(options, (leftMs) => attempt(url, leftMs, options));
}

/** Retries transient failures with growing pauses until the timeout. */
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
      // Report the earlier error: the last attempt may have failed only because little time was left.
      if (left <= 0 && (isPassing || isTimeout(error))) throw before ?? error;
      if (!isPassing || left <= 0) throw error;
      before = error;
      onRetry?.(error);
      // Shorten the last pause, so that the last attempt comes just before the timeout.
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
  throw new PeerError("bad_url", `"${url}" is not a WebSocket address`, {
    hint: "write ws://host:port, or wss:// for a server with TLS",
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
    // Node runs timers before it reads sockets, so first let a reply that has already arrived be read.
    const timer = setTimeout(() => setImmediate(() => fail(silent(url, leftMs))), leftMs);
    const abandon = () => fail(signal?.reason);
    let isOpened = false;
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abandon);
    };
    const fail = (error: unknown) => {
      // Errors after `open` are handled by the socket's owner.
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
