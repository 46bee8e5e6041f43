import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { versions } from "../runs/directory/versions.js";
import type { Queries } from "./database/connect.js";
import type { ClusterStatus } from "./runs-table.js";

/** The state that a worker publishes. */
export interface WorkerState {
  readonly run: string | undefined;
  readonly underWay: number;
  readonly done: number;
  readonly capacity: number;
}

/** A worker's row in the table `workers`. Its leases hold while its heartbeats arrive. */
export class WorkerRow {
  readonly id: string;

  constructor(
    private readonly agent: string | undefined,
    private readonly lostAfterMs: number,
  ) {
    this.id = `${hostname()}-${process.pid}-${randomBytes(3).toString("hex")}`;
  }

  /** Sends a heartbeat. */
  async beat(queries: Queries, { run, underWay, done, capacity }: WorkerState): Promise<void> {
    await queries.query(
      `INSERT INTO robot_eval.workers
         (worker, host, pid, agent, versions, lost_after, seats, run_id, under_way, done)
       VALUES ($1, $2, $3, $4, $5, $6 * interval '1 millisecond', $7, $8, $9, $10)
       ON CONFLICT (worker) DO UPDATE SET last_seen = now(), seats = EXCLUDED.seats,
         run_id = EXCLUDED.run_id, under_way = EXCLUDED.under_way, done = EXCLUDED.done`,
      [
        this.id,
        hostname(),
        process.pid,
        this.agent ?? null,
        JSON.stringify(versions()),
        this.lostAfterMs,
        capacity,
        run ?? null,
        underWay,
        done,
      ],
    );
  }

  async leave(queries: Queries, { done }: WorkerState): Promise<void> {
    await queries.query(
      `UPDATE robot_eval.workers
       SET left_at = now(), last_seen = now(), run_id = NULL, under_way = 0, done = $2
       WHERE worker = $1`,
      [this.id, done],
    );
  }
}

/** The status of each run; deleted runs are missing. */
export async function statusOf(
  queries: Queries,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, ClusterStatus>> {
  if (runIds.length === 0) return new Map();
  const { rows } = await queries.query<{ run_id: string; status: ClusterStatus }>(
    "SELECT run_id, status FROM robot_eval.runs WHERE run_id = ANY ($1::text[])",
    [runIds],
  );
  return new Map(rows.map(({ run_id, status }) => [run_id, status]));
}
