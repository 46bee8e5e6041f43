import type { Message, MessageOf } from "../messages/base.js";
import { PeerError } from "../websocket/peer-error.js";

/** Node's timers overflow above this and fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Reply type of each request type. */
const ANSWERS = { reset_episode: "episode_ready", get_action: "action" } as const;

export type Question = MessageOf<"reset_episode"> | MessageOf<"get_action">;
export type Answer = MessageOf<"episode_ready"> | MessageOf<"action">;

/** A pending request. */
export interface Request {
  readonly seq: number;
  readonly sessionId: string;
  readonly type: Question["type"];
  readonly timeoutMs: number;
  /** The frame as sent, to send again unchanged after a reconnect. */
  readonly frame: string | Buffer;
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** The unanswered requests of a connection, oldest first. */
export class Requests {
  readonly #waiting = new Map<number, Request & { readonly timer: NodeJS.Timeout }>();

  get size(): number {
    return this.#waiting.size;
  }

  /** Frames to send again, oldest first. */
  frames(): (string | Buffer)[] {
    return [...this.#waiting.values()].map(({ frame }) => frame);
  }

  add(request: Request, onTimeout: (request: Request) => void): void {
    const limit = Math.min(Math.ceil(request.timeoutMs), LONGEST_TIMER_MS);
    const giveUp = () => {
      if (this.#waiting.get(request.seq)?.timer === timer) onTimeout(request);
    };
    // Node runs timers before it reads sockets, so first let a reply that has already arrived be read.
    const timer = setTimeout(() => setImmediate(giveUp), limit);
    this.#waiting.set(request.seq, { ...request, timer });
  }

  /**
   * Finds the request that a message answers; undefined for duplicate and late replies. Peers of the plain protocol
   * form do not number replies, which then answer the oldest request of their type.
   */
  answeredBy(answer: Answer): Request | undefined {
    if (answer.seq !== undefined) return this.#waiting.get(answer.seq);
    const candidates = [...this.#waiting.values()].filter(
      ({ type }) => ANSWERS[type] === answer.type,
    );
    const own = candidates.find(({ sessionId }) => sessionId === answer.session_id);
    return own ?? (candidates.length === 1 ? candidates[0] : undefined);
  }

  /** Finds the request that an error refers to: by its number, or the only one it can mean. */
  blamedBy(error: MessageOf<"error">): Request | undefined {
    if (error.re_seq !== undefined) return this.#waiting.get(error.re_seq);
    return this.only;
  }

  /** The request that an unreadable reply belongs to, if only one is pending. */
  get only(): Request | undefined {
    const [first] = this.#waiting.values();
    return this.#waiting.size === 1 ? first : undefined;
  }

  get(seq: number): Request | undefined {
    return this.#waiting.get(seq);
  }

  of(sessionId: string): Request[] {
    return [...this.#waiting.values()].filter((request) => request.sessionId === sessionId);
  }

  /** Removes a request; returns true if it was still pending. */
  take({ seq }: Request): boolean {
    clearTimeout(this.#waiting.get(seq)?.timer);
    return this.#waiting.delete(seq);
  }

  settle(request: Request, answer: Answer): void {
    if (!this.take(request)) return;
    if (ANSWERS[request.type] === answer.type) request.resolve(answer);
    else request.reject(otherThanAsked(request, answer));
  }

  reject(request: Request, error: Error): void {
    if (this.take(request)) request.reject(error);
  }

  rejectAll(error: Error): void {
    for (const request of [...this.#waiting.values()]) this.reject(request, error);
  }
}

function otherThanAsked({ type, seq }: Request, answer: Message): PeerError {
  return new PeerError(
    "wrong_answer",
    `the policy answered ${type} (seq ${seq}) with ${answer.type}; ${ANSWERS[type]} was expected`,
  );
}
