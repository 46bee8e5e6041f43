import { wireActions } from "./actions.js";
import type { Declaration } from "./declare.js";
import type { PolicyEpisode } from "./episode.js";
import type { Policy, PolicyMoment, PolicyObservation } from "./policy.js";

/** Runs asynchronous work one at a time, in the order of the calls. */
export class Lock {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T> | T): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }
}

/** Calls a policy's methods one at a time for a session and checks its actions. */
export abstract class PolicyRunner {
  /** The previous session may still be computing. */
  protected readonly lock = new Lock();

  constructor(
    protected readonly policy: Policy,
    protected readonly declaration: Declaration,
  ) {}

  reset(episode: PolicyEpisode): Promise<void> {
    return this.lock.run(() => this.policy.reset?.(episode));
  }

  abstract act(observation: PolicyObservation, moment: PolicyMoment): Promise<unknown[]>;

  /** The session sends no request until it asks again, so a batch need not wait for it. */
  idle(_sessionId: string): void {}

  close(): Promise<void> {
    return this.lock.run(() => this.policy.close?.());
  }
}

/** Runs a policy that acts in one episode at a time. */
export class SingleRunner extends PolicyRunner {
  act(observation: PolicyObservation, moment: PolicyMoment): Promise<unknown[]> {
    const { name, actionChunk } = this.declaration;
    return this.lock.run(async () =>
      wireActions(await this.policy.act(observation, moment), `${name}.act`, actionChunk),
    );
  }
}
