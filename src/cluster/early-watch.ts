import type { EpisodeLine } from "../core/interfaces/result.js";
import { jobsOf } from "../evaluator/plan/jobs.js";
import type { RunPlan } from "../evaluator/plan/prepare.js";
import type { EarlyStopTask } from "../evaluator/record/early-stop.js";
import { earlyStops } from "../evaluator/record/recorder.js";
import type { Database, Queries } from "./database/connect.js";
import { dropTask } from "./runs-table.js";
import { wholePlan } from "./whole-plan.js";

/** Interval between checks; one of the run's workers does each. */
const LOOK_EVERY_S = 5;

/**
 * Stops a run's tasks when their metric is precise enough. Workers do this, so that it also happens while no
 * client follows the run. A client reaches the same decision: it depends only on the order of the episodes.
 */
export class EarlyWatch {
  #stops: ReadonlyMap<string, EarlyStopTask> | undefined;
  /** Results of all transactions before this one have been read. */
  #since = "0";

  private constructor(
    private readonly runId: string,
    private readonly plan: RunPlan,
  ) {}

  /** Undefined if the run has no early stopping. */
  static of(runId: string, plan: RunPlan): EarlyWatch | undefined {
    return plan.loaded.config.evaluation.early_stop ? new EarlyWatch(runId, plan) : undefined;
  }

  async look(database: Database): Promise<void> {
    if (!(await isDue(database, this.runId))) return;
    this.#stops ??= earlyStops(this.plan, jobsOf(await wholePlan(database, this.runId, this.plan)));
    for (const line of await this.#newLines(database)) {
      const stop = this.#stops.get(line.task);
      if (!stop || stop.reached) continue;
      stop.offer(line);
      if (stop.reached) await dropTask(database, this.runId, line.task);
    }
  }

  /** Reads up to the oldest transaction that is still open, as read-results.ts does. */
  async #newLines(queries: Queries): Promise<readonly EpisodeLine[]> {
    const { rows } = await queries.query<{ line: EpisodeLine | null; until: string }>(
      `SELECT r.line, u.until::text FROM pg_snapshot_xmin(pg_current_snapshot()) AS u (until)
       LEFT JOIN robot_eval.results r
         ON r.run_id = $1 AND r.xact >= $2::xid8 AND r.xact < u.until`,
      [this.runId, this.#since],
    );
    this.#since = rows[0]?.until ?? this.#since;
    return rows.flatMap(({ line }) => line ?? []);
  }
}

/** Key in the table `chores`; `control delete` removes the row. */
export function choreOf(runId: string): string {
  return `early stop of ${runId}`;
}

async function isDue(queries: Queries, runId: string): Promise<boolean> {
  const { rows } = await queries.query(
    `INSERT INTO robot_eval.chores (chore, done_at) VALUES ($1, now())
     ON CONFLICT (chore) DO UPDATE SET done_at = now()
     WHERE chores.done_at < now() - $2 * interval '1 second' RETURNING chore`,
    [choreOf(runId), LOOK_EVERY_S],
  );
  return rows.length > 0;
}
