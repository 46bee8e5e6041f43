import type { Message, MessageOf } from "../messages/base.js";
import { PeerError } from "../websocket/peer-error.js";

/** A longer time-out overflows Node's timers and fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What answers each request. */
const ANSWERS = { reset_episode: "episode_ready", get_action: "action" } as const;

export type Question = MessageOf<"reset_episode"> | MessageOf<"get_action">;
export type Answer = MessageOf<"episode_ready"> | MessageOf<"action">;

/** A request that waits for its answer. Nothing of it is kept afterwards. */
export interface Request {
  readonly seq: number;
  readonly sessionId: string;
  readonly type: Question["type"];
  readonly timeoutMs: number;
  /** As it left, to be sent again unchanged when the connection comes back. */
  readonly frame: string | Buffer;
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** The requests of a connection that wait for an answer, oldest first. */
export class Requests {
  readonly #waiting = new Map<number, Request & { readonly timer: NodeJS.Timeout }>();

  get size(): number {
    return this.#waiting.size;
  }

  /** Oldest first, as they are to be sent again. */
  frames(): (string | Buffer)[] {
    return [...this.#waiting.values()].map(({ frame }) => frame);
  }

  add(request: Request, onTimeout: (request: Request) => void): void {
    const limit = Math.min(Math.ceil(request.timeoutMs), LONGEST_TIMER_MS);
    const timer = setTimeout(() => onTimeout(request), limit);
    this.#waiting.set(request.seq, { ...request, timer });
  }

  /**
   * The request that a message answers; undefined for duplicates and late ones. Peers of the plain form do not
   * number their answers: those are of the oldest request of their kind.
   */
  answeredBy(answer: Answer): Request | undefined {
    if (answer.seq !== undefined) return this.#waiting.get(answer.seq);
    const candidates = [...this.#waiting.values()].filter(
      ({ type }) => ANSWERS[type] === answer.type,
    );
    const own = candidates.find(({ sessionId }) => sessionId === answer.session_id);
    return own ?? (candidates.length === 1 ? candidates[0] : undefined);
  }

  /** The request that an error is about, as far as it says so or only one can be meant. */
  blamedBy(error: MessageOf<"error">): Request | undefined {
    if (error.re_seq !== undefined) return this.#waiting.get(error.re_seq);
    return this.only;
  }

  /** What is meant by a reply that cannot be read. */
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

  /** Whether it was still waiting. */
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
