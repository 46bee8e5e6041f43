import type { RawData, WebSocket } from "ws";
import { openSocket } from "../websocket/client.js";
import { bytesOf } from "../websocket/link.js";
import { PeerError } from "../websocket/peer-error.js";

/** A peer that answers what it was asked leaves none of these behind. */
const MOST_UNREAD = 100;

/**
 * One connection to a policy that speaks a protocol of its own: what is asked is answered in order. Frames are
 * kept from before the socket opens, since some servers speak first.
 */
export class PeerSocket {
  readonly url: string;
  readonly #socket: WebSocket;
  readonly #inbox: Inbox;

  private constructor(url: string, socket: WebSocket, inbox: Inbox) {
    this.url = url;
    this.#socket = socket;
    this.#inbox = inbox;
  }

  static async open(
    url: string,
    options: { readonly timeoutMs: number; readonly headers?: Readonly<Record<string, string>> },
  ): Promise<PeerSocket> {
    let inbox: Inbox | undefined;
    const prepare = (socket: WebSocket) => {
      inbox = new Inbox(url, socket);
    };
    const socket = await openSocket(url, { ...options, prepare });
    return new PeerSocket(url, socket, inbox ?? new Inbox(url, socket));
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  send(frame: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.send(frame, (error) => {
        if (error) reject(this.#inbox.gone() ?? error);
        else resolve();
      });
    });
  }

  /**
   * The next frame: bytes, or text. A policy that does not answer in time is hung up on: its late answer would be
   * taken for that to the next question.
   */
  async receive(waitMs: number, what: string): Promise<Uint8Array | string> {
    const frame = await this.#inbox.next(waitMs);
    if (frame !== undefined) return frame;
    this.drop();
    throw new PeerError("policy_timeout", `no ${what} from the policy within ${waitMs / 1000} s`, {
      where: this.url,
      hint: "policy.cold_start_timeout is for a connection's first answer, policy.action_timeout for the others",
    });
  }

  close(): void {
    this.#socket.close(1000);
  }

  drop(): void {
    this.#socket.terminate();
  }
}

/** Frames that came and were not read yet, and who waits for one. */
class Inbox {
  readonly #frames: (Uint8Array | string)[] = [];
  #wake: (() => void) | undefined;
  #closed: PeerError | undefined;

  constructor(url: string, socket: WebSocket) {
    socket.on("message", (data: RawData, isBinary: boolean) => {
      const bytes = bytesOf(data);
      this.#frames.push(isBinary ? bytes : Buffer.from(bytes).toString("utf8"));
      if (this.#frames.length > MOST_UNREAD) socket.terminate();
      this.#wake?.();
    });
    // An error is always followed by a close, which is where it is told.
    socket.on("error", () => {});
    socket.on("close", (code, reason) => {
      this.#closed = closedBy(url, code, reason.toString("utf8"));
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

function closedBy(url: string, code: number, reason: string): PeerError {
  const how = code === 1006 ? "it broke off" : `${code}${reason ? `: ${reason}` : ""}`;
  return new PeerError("policy_gone", `the policy's connection is closed (${how})`, {
    where: url,
    hint: "the policy's own log says why",
  });
}
