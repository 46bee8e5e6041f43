import type { RawData, WebSocket } from "ws";
import { recycleFrame } from "../codec/frame-pool.js";
import { type DialOptions, openSocket } from "./client.js";
import { bytesOf } from "./link.js";
import { PeerError } from "./peer-error.js";

/** Maximum number of unread frames; a peer that only answers requests leaves none. */
const MOST_UNREAD = 100;
/** Maximum size of all unread frames: two of the largest, a late answer and the awaited one. */
const MOST_UNREAD_BYTES = 128 * 2 ** 20;

/** Names the peer in errors. */
export interface PeerNames {
  /** Noun for the peer, `policy`, which also starts the error codes. */
  readonly who: string;
  /** Hint that names the timeout settings. */
  readonly limits: string;
  /** Hint for a lost connection. */
  readonly log: string;
}

const POLICY: PeerNames = {
  who: "policy",
  limits:
    "raise policy.cold_start_timeout for a connection's first reply, policy.action_timeout for later ones",
  log: "check the policy's log",
};

/**
 * One connection to a peer with another protocol, which answers requests in order. Frames are kept from before the
 * socket opens, because some servers send first.
 */
export class PeerSocket {
  private constructor(
    readonly url: string,
    private readonly socket: WebSocket,
    private readonly inbox: Inbox,
    private readonly names: PeerNames,
  ) {}

  static async open(
    url: string,
    options: Omit<DialOptions, "prepare">,
    names: PeerNames = POLICY,
  ): Promise<PeerSocket> {
    let inbox: Inbox | undefined;
    const prepare = (socket: WebSocket) => {
      inbox = new Inbox(url, socket, names);
    };
    const socket = await openSocket(url, { ...options, prepare });
    return new PeerSocket(url, socket, inbox ?? new Inbox(url, socket, names), names);
  }

  get isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  /** Takes ownership of the frame: its buffer is reused once it has been written. */
  send(frame: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.socket.send(frame, (error) => {
        if (error) return reject(this.inbox.gone() ?? error);
        recycleFrame(frame);
        resolve();
      });
    });
  }

  /** A WebSocket ping: the peer's library answers it, not the peer's own code. */
  ping(): void {
    if (this.isOpen) this.socket.ping();
  }

  onPong(handler: () => void): void {
    this.socket.on("pong", handler);
  }

  /**
   * Resolves with the next frame, bytes or text. Closes the connection on timeout: a late reply would be taken for
   * the answer to the next request.
   */
  async receive(waitMs: number, what: string): Promise<Uint8Array | string> {
    const frame = await this.inbox.next(waitMs);
    if (frame !== undefined) return frame;
    this.drop();
    const { who, limits } = this.names;
    const told = `no ${what} from the ${who} within ${waitMs / 1000} s`;
    throw new PeerError(`${who}_timeout`, told, { where: this.url, hint: limits });
  }

  close(): void {
    this.socket.close(1000);
  }

  /** Closes without the closing handshake, for peers that do not answer. */
  drop(): void {
    this.socket.terminate();
  }
}

/** Received frames that were not read yet, or the pending reader. */
class Inbox {
  readonly #frames: (Uint8Array | string)[] = [];
  #bytes = 0;
  #wake: (() => void) | undefined;
  #closed: PeerError | undefined;

  constructor(url: string, socket: WebSocket, names: PeerNames) {
    socket.on("message", (data: RawData, isBinary: boolean) => {
      // Frames that arrive between `terminate` and `close` would be read as replies.
      if (this.#closed) return;
      const bytes = bytesOf(data);
      this.#frames.push(isBinary ? bytes : Buffer.from(bytes).toString("utf8"));
      this.#bytes += bytes.byteLength;
      if (this.#frames.length > MOST_UNREAD || this.#bytes > MOST_UNREAD_BYTES) {
        this.#closed = flooded(url, names);
        this.#frames.length = 0;
        this.#bytes = 0;
        socket.terminate();
      }
      this.#wake?.();
    });
    // An error is always followed by `close`, which is handled below.
    socket.on("error", () => {});
    socket.on("close", (code, reason) => {
      this.#closed ??= closedBy(url, names, code, reason.toString("utf8"));
      this.#wake?.();
    });
  }

  /** The reason why no more frames will arrive. */
  gone(): PeerError | undefined {
    return this.#closed;
  }

  /** Resolves with undefined on timeout. */
  async next(waitMs: number): Promise<Uint8Array | string | undefined> {
    const deadline = performance.now() + waitMs;
    for (;;) {
      const frame = waitMs > 0 ? this.#frames.shift() : undefined;
      if (frame !== undefined) {
        this.#bytes -= frame.length;
        return frame;
      }
      if (this.#closed) throw this.#closed;
      const left = deadline - performance.now();
      if (left <= 0) return undefined;
      await this.#news(left);
    }
  }

  #news(waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const settle = () => {
        clearTimeout(timer);
        if (this.#wake === settle) this.#wake = undefined;
        resolve();
      };
      // Node runs timers before it reads sockets, so first let a reply that has already arrived be read.
      const timer = setTimeout(() => setImmediate(settle), waitMs);
      this.#wake = settle;
    });
  }
}

/** Close code of a server that accepts no more connections. */
const TRY_AGAIN_LATER = 1013;
const BUSY =
  "it accepts no more connections: run with --workers 1 and --concurrency 1, or wait until other runs have ended";

function flooded(url: string, { who, log }: PeerNames): PeerError {
  return new PeerError(`${who}_flood`, `the ${who} sent more frames than were requested`, {
    where: url,
    hint: log,
  });
}

function closedBy(url: string, { who, log }: PeerNames, code: number, reason: string): PeerError {
  const how = code === 1006 ? "it broke" : `${code}${reason ? `: ${reason}` : ""}`;
  return new PeerError(`${who}_gone`, `the ${who}'s connection is closed (${how})`, {
    where: url,
    hint: code === TRY_AGAIN_LATER ? BUSY : log,
  });
}
