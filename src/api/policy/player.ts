import { wireActions } from "./actions.js";
import type { Declaration } from "./declare.js";
import type { PolicyEpisode } from "./episode.js";
import { Lock } from "./lock.js";
import type { Policy, PolicyMoment, PolicyObservation } from "./policy.js";

/** What a session plays with: a policy's methods, in turn, with its answers checked. */
export interface Player {
  reset(episode: PolicyEpisode): Promise<void>;
  act(observation: PolicyObservation, moment: PolicyMoment): Promise<unknown[]>;
  /** Nothing is expected of a session until it asks again. */
  rest(sessionId: string): void;
  close(): Promise<void>;
}

/** A policy that plays one episode at a time. */
export class SoloPlayer implements Player {
  readonly #policy: Policy;
  readonly #declaration: Declaration;
  /** A session that was taken over by the next may still be computing. */
  readonly #lock = new Lock();

  constructor(policy: Policy, declaration: Declaration) {
    this.#policy = policy;
    this.#declaration = declaration;
  }

  reset(episode: PolicyEpisode): Promise<void> {
    return this.#lock.run(() => this.#policy.reset?.(episode));
  }

  act(observation: PolicyObservation, moment: PolicyMoment): Promise<unknown[]> {
    const { name, actionChunk } = this.#declaration;
    return this.#lock.run(async () =>
      wireActions(await this.#policy.act(observation, moment), `${name}.act`, actionChunk),
    );
  }

  rest(): void {}

  close(): Promise<void> {
    return this.#lock.run(() => this.#policy.close?.());
  }
}
