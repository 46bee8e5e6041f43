const PERIOD_MS = 20_000;

/** What the heartbeat needs from a link. */
interface Pinged {
  ping(): void;
  onPong(handler: () => void): void;
  terminate(): void;
}

/**
 * Detects dead links by WebSocket pings, which the peer's library answers. A policy may block its whole process while
 * it computes, so unanswered pings do not count while a request is pending; requests have their own timeout.
 */
export class PingMonitor {
  readonly #periodMs: number;
  #timer: NodeJS.Timeout | undefined;
  #unanswered = 0;

  constructor(
    private readonly isBusy: () => boolean,
    periodMs = PERIOD_MS,
  ) {
    this.#periodMs = periodMs;
  }

  attach(link: Pinged): void {
    this.detach();
    link.onPong(() => this.seen());
    this.#timer = setInterval(() => this.#ping(link), this.#periodMs).unref();
  }

  detach(): void {
    clearInterval(this.#timer);
    this.#unanswered = 0;
  }

  /** Any received message shows that the peer is alive. */
  seen(): void {
    this.#unanswered = 0;
  }

  #ping(link: Pinged): void {
    if (this.isBusy()) this.#unanswered = 0;
    if (this.#unanswered >= 2) {
      link.terminate();
      return;
    }
    this.#unanswered++;
    link.ping();
  }
}
