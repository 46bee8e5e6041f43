import { setTimeout as delay, setImmediate as nextTick } from "node:timers/promises";
import { ProtocolError, show } from "../../core/errors.js";
import { wireActions } from "./actions.js";
import type { Declaration } from "./declare.js";
import type { PolicyEpisode } from "./episode.js";
import { Lock } from "./lock.js";
import type { Player } from "./player.js";
import type { Policy, PolicyMoment, PolicyObservation } from "./policy.js";

/** Of the time that the last batch took, how much may be spent on waiting for those who have not asked yet. */
const PATIENCE = 0.25;

interface Request {
  readonly observation: PolicyObservation;
  readonly moment: PolicyMoment;
  readonly resolve: (actions: unknown[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A policy that plays many episodes at once. What is asked while a batch is computed makes up the next one. A
 * batch costs about the same however full it is, so a short wait for the rest pays: without it, who asks first
 * would always be computed alone.
 */
export class BatchPlayer implements Player {
  readonly #policy: Policy;
  readonly #declaration: Declaration;
  readonly #lock = new Lock();
  readonly #playing = new Set<string>();
  #waiting: Request[] = [];
  #full: (() => void) | undefined;
  #lastMs = 0;

  constructor(policy: Policy, declaration: Declaration) {
    this.#policy = policy;
    this.#declaration = declaration;
  }

  reset(episode: PolicyEpisode): Promise<void> {
    return this.#lock.run(() => this.#policy.reset?.(episode));
  }

  act(observation: PolicyObservation, moment: PolicyMoment): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      this.#playing.add(moment.sessionId);
      this.#waiting.push({ observation, moment, resolve, reject });
      if (this.#waiting.length === 1) void this.#lock.run(() => this.#compute());
      if (this.#waiting.length >= this.#playing.size) this.#full?.();
    });
  }

  rest(sessionId: string): void {
    this.#playing.delete(sessionId);
    if (this.#waiting.length >= this.#playing.size) this.#full?.();
  }

  close(): Promise<void> {
    return this.#lock.run(() => this.#policy.close?.());
  }

  async #compute(): Promise<void> {
    await this.#gather();
    const requests = this.#waiting;
    this.#waiting = [];
    const start = performance.now();
    try {
      const answers = await this.#answers(requests);
      requests.forEach((request, i) => {
        this.#answer(request, answers[i]);
      });
    } catch (error) {
      for (const request of requests) request.reject(error);
    }
    this.#lastMs = performance.now() - start;
  }

  async #gather(): Promise<void> {
    // Frames that have arrived already are read in this turn of the event loop.
    await nextTick();
    const wait = Math.floor(this.#lastMs * PATIENCE);
    if (wait < 1 || this.#waiting.length >= this.#playing.size) return;
    const stop = new AbortController();
    const full = new Promise<void>((resolve) => {
      this.#full = resolve;
    });
    await Promise.race([full, delay(wait, undefined, { signal: stop.signal }).catch(() => {})]);
    stop.abort();
    this.#full = undefined;
  }

  async #answers(requests: readonly Request[]): Promise<readonly unknown[]> {
    const answers: unknown = await this.#policy.actBatch?.(
      requests.map((request) => request.observation),
      requests.map((request) => request.moment),
    );
    if (Array.isArray(answers) && answers.length === requests.length) return answers;
    const what = Array.isArray(answers) ? `${answers.length} actions` : show(answers);
    throw new ProtocolError(
      "bad_action",
      `${this.#declaration.name}.actBatch returned ${what} for ${requests.length} observations`,
      { hint: "return a list with one action for each observation, in their order" },
    );
  }

  /** One wrong action of a batch is the fault of its episode only. */
  #answer({ resolve, reject }: Request, answer: unknown): void {
    const { name, actionChunk } = this.#declaration;
    try {
      resolve(wireActions(answer, `${name}.actBatch`, actionChunk));
    } catch (error) {
      reject(error);
    }
  }
}
