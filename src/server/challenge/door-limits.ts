import type { ChallengeLimits } from "./config.js";
import { ChallengeError } from "./errors.js";
import { addressKey } from "./http/client-address.js";
import { TokenBuckets } from "./http/token-buckets.js";
import type { Team } from "./store.js";
import { Tally } from "./tally.js";

type Limits = Pick<
  ChallengeLimits,
  "refusals_per_minute" | "requests_per_minute" | "connections_per_team"
>;

/** How often, and how many at once, somebody may come to the agents' door. */
export class DoorLimits {
  readonly #limits: Limits;
  /** By address. */
  readonly #refusals: TokenBuckets;
  /** Those who have not been let in, by address: who says nothing must not hold the places of others. */
  readonly #strangers = new Tally();
  /** By team: what comes and goes at once still costs entries of the log. */
  readonly #dials: TokenBuckets;
  /** Those whose handshake is under way, by team: they count as connections already. */
  readonly #arriving = new Tally();

  constructor(limits: Limits) {
    const { refusals_per_minute, requests_per_minute } = limits;
    this.#limits = limits;
    this.#refusals = new TokenBuckets({
      perMinute: refusals_per_minute,
      burst: refusals_per_minute,
    });
    this.#dials = new TokenBuckets({ perMinute: requests_per_minute, burst: requests_per_minute });
  }

  mayKnock(address: string): boolean {
    const key = addressKey(address);
    const few = this.#strangers.of(key) < this.#limits.refusals_per_minute;
    return few && this.#refusals.wait(key) === 0;
  }

  /** Somebody has knocked. What is returned is to be called when it is let in, or gone. */
  stranger(address: string): () => void {
    return this.#strangers.add(addressKey(address));
  }

  /** Somebody was turned away. Gives whether the address has had as many refusals as it may. */
  refused(address: string): boolean {
    const key = addressKey(address);
    this.#refusals.take(key);
    return this.#refusals.wait(key) > 0;
  }

  checkDials({ id }: Team): void {
    const seconds = this.#dials.take(id);
    if (seconds === 0) return;
    throw new ChallengeError("too_many", "the team dials too often", { hint: `wait ${seconds} s` });
  }

  /** One more agent of a team that has `here`. What is returned is to be called when it is among them, or gone. */
  arrive({ id }: Team, here: number): () => void {
    const most = this.#limits.connections_per_team;
    if (here + this.#arriving.of(id) < most) return this.#arriving.add(id);
    throw new ChallengeError("too_many_connections", `a team may have ${most} agents at once`);
  }
}
