import { setTimeout as delay, setImmediate as nextTick } from "node:timers/promises";
import { ProtocolError, show } from "../../core/errors.js";
import { wireActions } from "./actions.js";
import type { PolicyMoment, PolicyObservation } from "./policy.js";
import { PolicyRunner } from "./policy-runner.js";

/** Share of the last batch's duration to wait for sessions that have not sent a request yet. */
const WAIT_SHARE = 0.25;

interface Request {
  readonly observation: PolicyObservation;
  readonly moment: PolicyMoment;
  readonly resolve: (actions: unknown[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs a policy that acts in many episodes at once. Requests that arrive while a batch is computed form the next one.
 * A batch takes about the same time at any size, so a short wait pays: without it, the first request would always be
 * computed alone.
 */
export class BatchRunner extends PolicyRunner {
  readonly #active = new Set<string>();
  #waiting: Request[] = [];
  #full: (() => void) | undefined;
  #lastMs = 0;

  act(observation: PolicyObservation, moment: PolicyMoment): Promise<unknown[]> {
    return new Promise((resolve, reject) => {
      this.#active.add(moment.sessionId);
      this.#waiting.push({ observation, moment, resolve, reject });
      if (this.#waiting.length === 1) void this.lock.run(() => this.#compute());
      if (this.#waiting.length >= this.#active.size) this.#full?.();
    });
  }

  override idle(sessionId: string): void {
    this.#active.delete(sessionId);
    if (this.#waiting.length >= this.#active.size) this.#full?.();
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
    // Let frames that have already arrived be read in this turn of the event loop.
    await nextTick();
    const wait = Math.floor(this.#lastMs * WAIT_SHARE);
    if (wait < 1 || this.#waiting.length >= this.#active.size) return;
    const stop = new AbortController();
    const full = new Promise<void>((resolve) => {
      this.#full = resolve;
    });
    await Promise.race([full, delay(wait, undefined, { signal: stop.signal }).catch(() => {})]);
    stop.abort();
    this.#full = undefined;
  }

  async #answers(requests: readonly Request[]): Promise<readonly unknown[]> {
    const answers: unknown = await this.policy.actBatch?.(
      requests.map((request) => request.observation),
      requests.map((request) => request.moment),
    );
    if (Array.isArray(answers) && answers.length === requests.length) return answers;
    const what = Array.isArray(answers) ? `${answers.length} actions` : show(answers);
    throw new ProtocolError(
      "bad_action",
      `${this.declaration.name}.actBatch returned ${what} for ${requests.length} observations`,
      { hint: "return a list with one action per observation, in the same order" },
    );
  }

  /** An invalid action in a batch fails only its own episode. */
  #answer({ resolve, reject }: Request, answer: unknown): void {
    const { name, actionChunk } = this.declaration;
    try {
      resolve(wireActions(answer, `${name}.actBatch`, actionChunk));
    } catch (error) {
      reject(error);
    }
  }
}
