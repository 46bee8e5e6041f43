import type { WorkerState } from "./worker-row.js";
import type { WorkerRun } from "./worker-run.js";

/** Runs whose simulators stay open, idle ones included. */
const MOST_OPEN = 3;

/** The runs that a cluster worker has open. */
export class WorkerRuns {
  /** Least recently used first. */
  readonly #byRun = new Map<string, WorkerRun>();

  /** Finds a run and marks it as used now. */
  use(runId: string): WorkerRun | undefined {
    const workerRun = this.#byRun.get(runId);
    if (workerRun) this.add(workerRun);
    return workerRun;
  }

  find(runId: string): WorkerRun | undefined {
    return this.#byRun.get(runId);
  }

  add(workerRun: WorkerRun): void {
    const { run_id } = workerRun.run;
    this.#byRun.delete(run_id);
    this.#byRun.set(run_id, workerRun);
  }

  remove(workerRun: WorkerRun): void {
    this.#byRun.delete(workerRun.run.run_id);
  }

  [Symbol.iterator](): Iterator<WorkerRun> {
    return [...this.#byRun.values()][Symbol.iterator]();
  }

  get runs(): readonly string[] {
    return [...this.#byRun.keys()];
  }

  get #latest(): WorkerRun | undefined {
    return [...this.#byRun.values()].at(-1);
  }

  get state(): Omit<WorkerState, "done"> & { readonly backlog: number } {
    const all = [...this.#byRun.values()];
    const latest = this.#latest;
    return {
      run: latest?.run.run_id,
      capacity: latest?.capacity ?? 0,
      underWay: all.reduce((sum, { underWay }) => sum + underWay, 0),
      backlog: all.reduce((sum, { backlog }) => sum + backlog, 0),
    };
  }

  /** Number of batches to lease now. The backlog is refilled at half its target size, so that several come at once. */
  get room(): number {
    const latest = this.#latest;
    if (!latest) return 1;
    const { backlog } = this.state;
    if (backlog >= Math.max(latest.capacity, latest.wants / 2)) return 0;
    return Math.ceil((latest.wants - backlog) / latest.run.batch);
  }

  /** Idle runs beyond the number that stays open, least recently used first. */
  get surplus(): readonly WorkerRun[] {
    const idle = [...this.#byRun.values()].slice(0, -1).filter(({ isIdle }) => isIdle);
    return idle.slice(0, Math.max(0, this.#byRun.size - MOST_OPEN));
  }
}
