import { POLICY_UNREACHABLE } from "../../api/websocket/peer-error.js";
import type { PolicySettings } from "../../config/policy.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";

export interface GoneHooks {
  readonly onGiveUp: (why: string) => void;
  readonly onNotice: (text: string) => void;
}

/** Decides what follows when a policy has disconnected and does not return: see `policy.when_lost`. */
export class GonePolicy {
  #isAwaited = false;

  constructor(
    private readonly whenLost: PolicySettings["when_lost"],
    private readonly hooks: GoneHooks,
  ) {}

  /** True if the episode is run again when the policy is back, as if it had not been started. */
  awaits({ outcome, fault, error }: EpisodeLine): boolean {
    const isGone = outcome === "invalid" && fault === "agent" && error?.code === POLICY_UNREACHABLE;
    if (!isGone) {
      if (this.#isAwaited) this.hooks.onNotice("the policy is back");
      this.#isAwaited = false;
      return false;
    }
    if (this.whenLost === "stop") {
      this.hooks.onGiveUp(`${error.message}\n  (policy.when_lost: stop)`);
    }
    if (this.whenLost !== "wait") return false;
    if (!this.#isAwaited) {
      this.hooks.onNotice(`${error.message}\n  waiting until it is back (policy.when_lost: wait)`);
    }
    this.#isAwaited = true;
    return true;
  }
}
