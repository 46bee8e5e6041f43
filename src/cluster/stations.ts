import type { Station } from "./station.js";
import type { WorkerState } from "./worker-row.js";

/** Runs whose simulators are kept ready while they have nothing to do. */
const MOST_STATIONS = 3;

/** A worker's stations, by run. */
export class Stations {
  /** The one used last is the last. */
  readonly #byRun = new Map<string, Station>();

  /** The one of a run, which is used now. */
  use(runId: string): Station | undefined {
    const station = this.#byRun.get(runId);
    if (station) this.add(station);
    return station;
  }

  find(runId: string): Station | undefined {
    return this.#byRun.get(runId);
  }

  add(station: Station): void {
    const { run_id } = station.run;
    this.#byRun.delete(run_id);
    this.#byRun.set(run_id, station);
  }

  remove(station: Station): void {
    this.#byRun.delete(station.run.run_id);
  }

  [Symbol.iterator](): Iterator<Station> {
    return [...this.#byRun.values()][Symbol.iterator]();
  }

  get runs(): readonly string[] {
    return [...this.#byRun.keys()];
  }

  get #latest(): Station | undefined {
    return [...this.#byRun.values()].at(-1);
  }

  get state(): Omit<WorkerState, "done"> & { readonly backlog: number } {
    const all = [...this.#byRun.values()];
    const latest = this.#latest;
    return {
      run: latest?.run.run_id,
      seats: latest?.seats ?? 0,
      underWay: all.reduce((sum, { underWay }) => sum + underWay, 0),
      backlog: all.reduce((sum, { backlog }) => sum + backlog, 0),
    };
  }

  /** Batches to be taken now. Half of what is wanted must be gone first, so that it is not one at a time. */
  get room(): number {
    const latest = this.#latest;
    if (!latest) return 1;
    const { backlog } = this.state;
    if (backlog >= Math.max(latest.seats, latest.wants / 2)) return 0;
    return Math.ceil((latest.wants - backlog) / latest.run.batch);
  }

  /** Those with nothing to do, beyond what is kept ready; those unused for longest first. */
  get surplus(): readonly Station[] {
    const idle = [...this.#byRun.values()].slice(0, -1).filter(({ isIdle }) => isIdle);
    return idle.slice(0, Math.max(0, this.#byRun.size - MOST_STATIONS));
  }
}
