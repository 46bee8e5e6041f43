import type { ChallengeLimits } from "../config.js";
import { ChallengeError } from "../errors.js";
import { addressKey } from "../http/client-address.js";
import { TokenBuckets } from "../http/token-buckets.js";
import type { Team } from "../store/store.js";

type Limits = Pick<
  ChallengeLimits,
  "refusals_per_minute" | "requests_per_minute" | "connections_per_team"
>;

/** Limits how often, and how many at a time, agents may connect. */
export class GatewayLimits {
  /** Rejected connections by address. */
  readonly #refusals: TokenBuckets;
  /** Unauthenticated connections by address: silent clients must not use up the connections of others. */
  readonly #unauthenticated = new OpenCounts();
  /** Connection attempts by team: even short ones cost audit entries. */
  readonly #attempts: TokenBuckets;
  /** Handshakes in progress by team; they count as connections. */
  readonly #handshakes = new OpenCounts();

  constructor(private readonly limits: Limits) {
    const { refusals_per_minute, requests_per_minute } = limits;
    this.#refusals = new TokenBuckets({
      perMinute: refusals_per_minute,
      burst: refusals_per_minute,
    });
    this.#attempts = new TokenBuckets({
      perMinute: requests_per_minute,
      burst: requests_per_minute,
    });
  }

  mayConnect(address: string): boolean {
    const key = addressKey(address);
    const few = this.#unauthenticated.of(key) < this.limits.refusals_per_minute;
    return few && this.#refusals.wait(key) === 0;
  }

  /** Counts an unauthenticated connection. Call the result when it is authenticated or closed. */
  unauthenticated(address: string): () => void {
    return this.#unauthenticated.add(addressKey(address));
  }

  /** Counts a rejected connection; true if the address has reached its limit. */
  rejected(address: string): boolean {
    const key = addressKey(address);
    this.#refusals.take(key);
    return this.#refusals.wait(key) > 0;
  }

  checkAttempts({ id }: Team): void {
    const seconds = this.#attempts.take(id);
    if (seconds === 0) return;
    throw new ChallengeError("too_many", "the team opens connections too often", {
      hint: `wait ${seconds} s`,
    });
  }

  /**
   * Counts a handshake of a team that has `connected` agents. Call the result when it has ended.
   * @throws ChallengeError if the team has too many
   */
  beginHandshake({ id }: Team, connected: number): () => void {
    const most = this.limits.connections_per_team;
    if (connected + this.#handshakes.of(id) < most) return this.#handshakes.add(id);
    throw new ChallengeError(
      "too_many_connections",
      `a team may connect at most ${most} agents at a time`,
    );
  }
}

/** Counts open connections or handshakes by key. */
class OpenCounts {
  readonly #counts = new Map<string, number>();

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  /** Adds one to a key. Call the result once to subtract it. */
  add(key: string): () => void {
    let isOpen = true;
    this.#counts.set(key, this.of(key) + 1);
    return () => {
      if (!isOpen) return;
      isOpen = false;
      const left = this.of(key) - 1;
      if (left > 0) this.#counts.set(key, left);
      else this.#counts.delete(key);
    };
  }
}
