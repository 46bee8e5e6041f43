import { BaseEpisode } from "../core/episode/base.js";
import type { RunPlan } from "../evaluator/plan/prepare.js";
import type { Queries } from "./database/connect.js";

/** Replaces the sample episodes of a plan with all episodes of the run. */
export async function wholePlan(queries: Queries, runId: string, plan: RunPlan): Promise<RunPlan> {
  const { rows } = await queries.query<{ task: string; episode: unknown }>(
    "SELECT task, episode FROM robot_eval.episodes WHERE run_id = $1 ORDER BY no",
    [runId],
  );
  const tasks = plan.tasks.map((taskPlan) => ({
    ...taskPlan,
    episodes: rows
      .filter((row) => row.task === taskPlan.task.name)
      .map(({ episode }) => BaseEpisode.fromDict(episode)),
  }));
  return { ...plan, tasks };
}
