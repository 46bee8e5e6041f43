import { rm } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "../core/errors.js";
import type { Cluster } from "./cluster.js";
import { choreOf } from "./early-watch.js";
import { type ClusterStatus, getRun, OVER } from "./runs-table.js";

/** An action on a run. */
export type Control =
  | { readonly action: "pause" | "resume" | "cancel" | "delete" }
  | { readonly action: "priority"; readonly priority: number };

/** Applies an action to a run. Workers finish the episodes that run and lease no more within a few seconds. */
export async function controlRun(
  cluster: Cluster,
  runId: string,
  control: Control,
): Promise<ClusterStatus | "deleted"> {
  const { database, queue } = cluster;
  const run = await getRun(database, runId);
  switch (control.action) {
    case "priority":
      await database.query("UPDATE robot_eval.runs SET priority = $2 WHERE run_id = $1", [
        runId,
        control.priority,
      ]);
      return run.status;
    case "pause":
      return change(cluster, runId, "paused", ["queued", "running", "paused"]);
    case "resume":
      return change(cluster, runId, "running", ["paused", "queued", "running"]);
    case "cancel": {
      const status = await change(cluster, runId, "cancelled", [
        "queued",
        "running",
        "paused",
        "cancelled",
      ]);
      await queue.remove(run.no);
      return status;
    }
    case "delete":
      if (!OVER.includes(run.status)) throw cannot(database.where, runId, "deleted", run.status);
      await queue.remove(run.no);
      await forget(cluster, runId);
      if (run.files_dir !== null) {
        await rm(join(run.files_dir, runId), { recursive: true, force: true });
      }
      return "deleted";
  }
}

async function change(
  { database }: Cluster,
  runId: string,
  to: ClusterStatus,
  from: readonly ClusterStatus[],
): Promise<ClusterStatus> {
  const over = OVER.includes(to);
  const { rows } = await database.query<{ status: ClusterStatus }>(
    `UPDATE robot_eval.runs
     SET status = CASE WHEN $2 = 'running' AND started_at IS NULL THEN 'queued' ELSE $2 END,
       finished_at = CASE WHEN $4 THEN coalesce(finished_at, now()) ELSE finished_at END
     WHERE run_id = $1 AND status = ANY ($3::text[]) RETURNING status`,
    [runId, to, from, over],
  );
  const [row] = rows;
  if (row) return row.status;
  const { status } = await getRun(database, runId);
  throw cannot(database.where, runId, to, status);
}

async function forget({ database }: Cluster, runId: string): Promise<void> {
  await database.transaction(async (transaction) => {
    for (const table of ["files", "results", "set_aside", "episodes", "held", "refusals", "runs"]) {
      await transaction.query(`DELETE FROM robot_eval.${table} WHERE run_id = $1`, [runId]);
    }
    await transaction.query("DELETE FROM robot_eval.chores WHERE chore = $1", [choreOf(runId)]);
  });
}

function cannot(where: string, runId: string, what: string, status: ClusterStatus): ConfigError {
  const hint =
    what === "deleted"
      ? `first: robot-eval control ${runId} cancel --queue ${where}`
      : OVER.includes(status)
        ? "the run is over: fetch its results with `robot-eval pull`, or submit it again"
        : undefined;
  const wanted = what === "running" ? "resumed" : what;
  return new ConfigError("wrong_status", `${runId} is ${status} and cannot be ${wanted}`, {
    where,
    hint,
  });
}
