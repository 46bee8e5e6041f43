import type { RawData, WebSocket } from "ws";
import { recycleFrame } from "../codec/frame-pool.js";
import { type DialOptions, openSocket } from "./client.js";
import { bytesOf } from "./link.js";
import { PeerError } from "./peer-error.js";

/** A peer that answers what it was asked leaves none of these behind. */
const MOST_UNREAD = 100;

/** Who is at the other end, in the words of errors. */
export interface PeerWords {
  /** `policy`: also the beginning of the errors' codes. */
  readonly who: string;
  /** Which settings say how long is waited. */
  readonly limits: string;
  /** Where to look when it is gone. */
  readonly log: string;
}

const POLICY: PeerWords = {
  who: "policy",
  limits:
    "policy.cold_start_timeout is for a connection's first answer, policy.action_timeout for the others",
  log: "the policy's own log says why",
};

/**
 * One connection to a peer that speaks a protocol of its own: what is asked is answered in order. Frames are
 * kept from before the socket opens, since some servers speak first.
 */
export class PeerSocket {
  readonly url: string;
  readonly #socket: WebSocket;
  readonly #inbox: Inbox;
  readonly #words: PeerWords;

  private constructor(url: string, socket: WebSocket, inbox: Inbox, words: PeerWords) {
    this.url = url;
    this.#socket = socket;
    this.#inbox = inbox;
    this.#words = words;
  }

  static async open(
    url: string,
    options: Omit<DialOptions, "prepare">,
    words: PeerWords = POLICY,
  ): Promise<PeerSocket> {
    let inbox: Inbox | undefined;
    const prepare = (socket: WebSocket) => {
      inbox = new Inbox(url, socket, words);
    };
    const socket = await openSocket(url, { ...options, prepare });
    return new PeerSocket(url, socket, inbox ?? new Inbox(url, socket, words), words);
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** Takes the frame over: its memory is used again once it has left. */
  send(frame: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.send(frame, (error) => {
        if (error) return reject(this.#inbox.gone() ?? error);
        recycleFrame(frame);
        resolve();
      });
    });
  }

  /** A WebSocket ping: the peer's library answers it, not the peer's own code. */
  ping(): void {
    if (this.isOpen) this.#socket.ping();
  }

  onPong(handler: () => void): void {
    this.#socket.on("pong", handler);
  }

  /**
   * The next frame: bytes, or text. A peer that does not answer in time is hung up on: its late answer would be
   * taken for that to the next question.
   */
  async receive(waitMs: number, what: string): Promise<Uint8Array | string> {
    const frame = await this.#inbox.next(waitMs);
    if (frame !== undefined) return frame;
    this.drop();
    const { who, limits } = this.#words;
    const told = `no ${what} from the ${who} within ${waitMs / 1000} s`;
    throw new PeerError(`${who}_timeout`, told, { where: this.url, hint: limits });
  }

  close(): void {
    this.#socket.close(1000);
  }

  /** Without a closing handshake, for peers that do not answer. */
  drop(): void {
    this.#socket.terminate();
  }
}

/** Frames that came and were not read yet, and who waits for one. */
class Inbox {
  readonly #frames: (Uint8Array | string)[] = [];
  #wake: (() => void) | undefined;
  #closed: PeerError | undefined;

  constructor(url: string, socket: WebSocket, words: PeerWords) {
    socket.on("message", (data: RawData, isBinary: boolean) => {
      const bytes = bytesOf(data);
      this.#frames.push(isBinary ? bytes : Buffer.from(bytes).toString("utf8"));
      if (this.#frames.length > MOST_UNREAD) socket.terminate();
      this.#wake?.();
    });
    // An error is always followed by a close, which is where it is told.
    socket.on("error", () => {});
    socket.on("close", (code, reason) => {
      this.#closed = closedBy(url, words, code, reason.toString("utf8"));
      this.#wake?.();
    });
  }

  /** Why nothing more will come. */
  gone(): PeerError | undefined {
    return this.#closed;
  }

  /** Undefined when the time is up. */
  async next(waitMs: number): Promise<Uint8Array | string | undefined> {
    const deadline = performance.now() + waitMs;
    for (;;) {
      const frame = this.#frames.shift();
      if (frame !== undefined) return frame;
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
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(settle, waitMs);
      this.#wake = settle;
    });
  }
}

function closedBy(url: string, { who, log }: PeerWords, code: number, reason: string): PeerError {
  const how = code === 1006 ? "it broke off" : `${code}${reason ? `: ${reason}` : ""}`;
  return new PeerError(`${who}_gone`, `the ${who}'s connection is closed (${how})`, {
    where: url,
    hint: log,
  });
}
