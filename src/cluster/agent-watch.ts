import type { EpisodeLine } from "../core/interfaces/result.js";
import type { RunPlan } from "../evaluator/prepare.js";
import type { Database } from "./database/connect.js";
import { whenBack } from "./database/when-back.js";
import { failRun } from "./run-problems.js";

/** Gives up runs whose agent begins nothing any more, as a local run would. */
export class AgentWatch {
  readonly #database: Database;
  /** Episodes in a row that a run's agent never began. */
  readonly #absences = new Map<string, number>();

  constructor(database: Database) {
    this.#database = database;
  }

  async see(line: EpisodeLine, runId: string, plan: RunPlan): Promise<void> {
    const absent = line.outcome === "invalid" && line.fault === "agent";
    const absences = absent ? (this.#absences.get(runId) ?? 0) + 1 : 0;
    this.#absences.set(runId, absences);
    const { give_up_after } = plan.loaded.config.evaluation;
    if (give_up_after === 0 || absences !== give_up_after) return;
    const last = line.error?.message ?? line.explanation;
    const why = `the agent began none of the last ${absences} episodes of a worker, the last time: ${last}`;
    await whenBack(() => failRun(this.#database, runId, why));
  }

  forget(runId: string): void {
    this.#absences.delete(runId);
  }
}
