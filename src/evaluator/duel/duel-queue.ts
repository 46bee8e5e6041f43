import { keyOf } from "../plan/jobs.js";
import type { Job, JobQueue } from "../plan/queue.js";
import type { DuelState } from "./duel-state.js";

/**
 * The jobs of one policy of a duel in the drawn order. A policy may run only a few episodes ahead of the comparison, so
 * that little is wasted when the duel is decided, and waits there for the others.
 */
export class DuelQueue implements JobQueue {
  #jobs: Job[];

  constructor(
    private readonly state: DuelState,
    private readonly policy: number,
    jobs: readonly Job[] /** Episodes that a policy may run ahead of the comparison. */,
    private readonly window: number,
  ) {
    this.#jobs = [...jobs];
  }

  get size(): number {
    this.#dropUnneeded();
    return this.#jobs.length;
  }

  take(): Job | undefined {
    return this.#isReady() ? this.#jobs.shift() : undefined;
  }

  add(job: Job): void {
    this.#jobs.unshift(job);
  }

  drop(task: string): void {
    this.#jobs = this.#jobs.filter((job) => job.task !== task);
  }

  async wait(signal: AbortSignal | undefined): Promise<boolean> {
    await this.state.until(() => this.size === 0 || this.#isReady(), signal);
    return this.size > 0 && !signal?.aborted;
  }

  #isReady(): boolean {
    this.#dropUnneeded();
    const [job] = this.#jobs;
    return job !== undefined && this.state.distanceTo(job.task, keyOf(job)) < this.window;
  }

  #dropUnneeded(): void {
    while (this.#jobs[0] && this.state.isOverFor(this.policy, this.#jobs[0].task)) {
      this.drop(this.#jobs[0].task);
    }
  }
}
