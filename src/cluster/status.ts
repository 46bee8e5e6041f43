import type { Cluster } from "./cluster.js";
import { type ClusterStatus, getRun } from "./runs-table.js";

/** A run in the output of `robot-eval status`. */
export interface RunStatusRow {
  readonly run_id: string;
  readonly status: ClusterStatus;
  readonly priority: number;
  readonly agent: string;
  readonly version: string;
  readonly episodes: number;
  readonly done: number;
  readonly invalid: number;
  /** Invalid attempts that were retried; not counted in `done`. */
  readonly set_aside: number;
  /** Tasks that reached the precision of `early_stop`; their remaining episodes are not run. */
  readonly stopped_early: readonly string[];
  /** Batches leased by workers. */
  readonly batches_under_way: number;
  readonly workers: number;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly problem: string | null;
}

export interface WorkerStatusRow {
  readonly worker: string;
  readonly host: string;
  readonly pid: number;
  readonly run_id: string | null;
  readonly under_way: number;
  readonly done: number;
  /** Seconds since the last heartbeat. */
  readonly seen_ago: number;
  readonly is_lost: boolean;
}

export interface Refusal {
  readonly worker: string;
  readonly problem: string;
  readonly refused_at: string;
}

/** Number of latest runs listed besides the open ones. */
const LATEST = 20;

export async function runsStatus(
  { database }: Cluster,
  runId?: string,
): Promise<readonly RunStatusRow[]> {
  if (runId !== undefined) await getRun(database, runId);
  const { rows } = await database.query<RunStatusRow>(
    `SELECT r.run_id, r.status, r.priority, r.agent, r.version, r.n_jobs AS episodes,
       t.done, t.invalid,
       (SELECT count(*)::int FROM robot_eval.set_aside s WHERE s.run_id = r.run_id) AS set_aside,
       r.dropped AS stopped_early,
       h.batches AS batches_under_way, h.workers,
       r.created_at, r.started_at, r.finished_at, r.problem
     FROM robot_eval.runs r
     CROSS JOIN LATERAL (SELECT count(*)::int AS done,
         count(*) FILTER (WHERE line->>'outcome' = 'invalid')::int AS invalid
       FROM robot_eval.results WHERE run_id = r.run_id) t
     CROSS JOIN LATERAL (SELECT count(*)::int AS batches, count(DISTINCT worker)::int AS workers
       FROM robot_eval.held WHERE run_id = r.run_id) h
     WHERE CASE WHEN $1::text IS NULL THEN r.status IN ('queued', 'running', 'paused')
         OR r.no IN (SELECT no FROM robot_eval.runs ORDER BY no DESC LIMIT ${LATEST})
       ELSE r.run_id = $1 END
     ORDER BY r.status IN ('done', 'cancelled', 'failed'), r.priority DESC, r.no`,
    [runId ?? null],
  );
  return rows;
}

/** Workers that have not deregistered and sent a heartbeat within the last day. */
export async function workersStatus({ database }: Cluster): Promise<readonly WorkerStatusRow[]> {
  const { rows } = await database.query<WorkerStatusRow>(
    `SELECT worker, host, pid, run_id, under_way, done,
       round(extract(epoch FROM now() - last_seen))::int AS seen_ago,
       last_seen < now() - lost_after AS is_lost
     FROM robot_eval.workers
     WHERE left_at IS NULL AND last_seen > now() - interval '1 day' ORDER BY started_at`,
  );
  return rows;
}

export async function refusalsOf(
  { database }: Cluster,
  runId: string,
): Promise<readonly Refusal[]> {
  const { rows } = await database.query<Refusal>(
    `SELECT worker, problem, refused_at FROM robot_eval.refusals
     WHERE run_id = $1 ORDER BY refused_at DESC LIMIT 10`,
    [runId],
  );
  return rows;
}
