import type { EpisodeLine } from "../core/interfaces/result.js";
import type { RunPlan } from "../evaluator/plan/prepare.js";
import type { Database } from "./database/connect.js";
import { whenReachable } from "./database/when-reachable.js";
import { failRun } from "./run-problems.js";

/** Fails a run after `give_up_after` episodes in a row in which its agent gave no action, as a local run does. */
export class AgentWatch {
  /** Consecutive episodes in which the agent gave no action, by run. */
  readonly #absences = new Map<string, number>();

  constructor(private readonly database: Database) {}

  async see(line: EpisodeLine, runId: string, plan: RunPlan): Promise<void> {
    const absent = line.outcome === "invalid" && line.fault === "agent";
    const absences = absent ? (this.#absences.get(runId) ?? 0) + 1 : 0;
    this.#absences.set(runId, absences);
    const { give_up_after } = plan.loaded.config.evaluation;
    if (give_up_after === 0 || absences !== give_up_after) return;
    const last = line.error?.message ?? line.explanation;
    const why = `the agent gave no action in the last ${absences} episodes of a worker; last error: ${last}`;
    await whenReachable(() => failRun(this.database, runId, why));
  }

  forget(runId: string): void {
    this.#absences.delete(runId);
  }
}
