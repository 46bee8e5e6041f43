const PERIOD_MS = 20_000;

/** What a pulse needs of a connection. */
interface Pinged {
  ping(): void;
  onPong(handler: () => void): void;
  terminate(): void;
}

/**
 * Finds links that are dead without having been closed, by WebSocket pings, which the peer's library answers. A
 * policy may block its whole process while it thinks, so nothing is concluded while an answer is waited for:
 * that has a time-out of its own.
 */
export class Pulse {
  readonly #isThinking: () => boolean;
  readonly #periodMs: number;
  #timer: NodeJS.Timeout | undefined;
  #unanswered = 0;

  constructor(isThinking: () => boolean, periodMs = PERIOD_MS) {
    this.#isThinking = isThinking;
    this.#periodMs = periodMs;
  }

  attach(link: Pinged): void {
    this.detach();
    link.onPong(() => this.seen());
    this.#timer = setInterval(() => this.#beat(link), this.#periodMs).unref();
  }

  detach(): void {
    clearInterval(this.#timer);
    this.#unanswered = 0;
  }

  /** Whatever arrives is a sign of life. */
  seen(): void {
    this.#unanswered = 0;
  }

  #beat(link: Pinged): void {
    if (this.#isThinking()) this.#unanswered = 0;
    if (this.#unanswered >= 2) {
      link.terminate();
      return;
    }
    this.#unanswered++;
    link.ping();
  }
}
