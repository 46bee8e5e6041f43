import type { EpisodeLine } from "../core/interfaces/result.js";
import type { PolicyIdentities } from "../core/policy-identity.js";
import type { EpisodeFault } from "../evaluator/execute/worker-pool.js";
import type { Queries } from "./database/connect.js";
import type { FileRow } from "./episode-files.js";
import type { ClusterStatus } from "./runs-table.js";

/** A row of the tables `results` and `set_aside`. */
export interface ResultRow {
  readonly no: number;
  readonly repeat: number;
  readonly attempt: number;
  readonly line: EpisodeLine;
  readonly faults: readonly EpisodeFault[];
  readonly xact: string;
  readonly files: readonly FileRow[];
}

/** A snapshot of a run's state. */
export interface RunSnapshot {
  readonly status: ClusterStatus;
  readonly problem: string | null;
  readonly warnings: readonly string[];
  /** Null until a worker has connected to them. */
  readonly policies: PolicyIdentities | null;
  /** Every transaction before this one has ended; undefined if the run is done and all have ended. */
  readonly before: string | undefined;
}

const ROWS_PER_QUERY = 32;
/** The largest transaction number. */
const NO_END = "18446744073709551615";

export async function readSnapshot(
  queries: Queries,
  runId: string,
): Promise<RunSnapshot | undefined> {
  const { rows } = await queries.query<Omit<RunSnapshot, "before"> & { before: string }>(
    `SELECT status, problem, warnings, info->'policies' AS policies,
       pg_snapshot_xmin(pg_current_snapshot())::text AS before
     FROM robot_eval.runs WHERE run_id = $1`,
    [runId],
  );
  const [row] = rows;
  return row && { ...row, before: row.status === "done" ? undefined : row.before };
}

/**
 * Reads each result once, in the order of the transactions that recorded them. It stops before the oldest open
 * transaction, because a later transaction may become visible before an earlier one.
 */
export class ResultReader {
  #after: readonly [xact: string, no: number, repeat: number, attempt: number] = ["0", 0, 0, 0];

  constructor(
    private readonly queries: Queries,
    private readonly runId: string,
  ) {}

  /** The next rows; empty when all up to the snapshot are read. */
  async next({ before }: Pick<RunSnapshot, "before">): Promise<readonly ResultRow[]> {
    const of = (table: string) =>
      `SELECT no, repeat, attempt, line, faults, xact FROM robot_eval.${table}
       WHERE run_id = $1 AND xact < $6::xid8 AND xact >= $2::xid8
         AND (xact, no, repeat, attempt) > ($2::xid8, $3::int, $4::int, $5::int)`;
    const { rows } = await this.queries.query<Omit<ResultRow, "files">>(
      `SELECT no, repeat, attempt, line, faults, xact::text AS xact
       FROM (${of("results")} UNION ALL ${of("set_aside")}) AS both_tables
       ORDER BY both_tables.xact, no, repeat, attempt LIMIT ${ROWS_PER_QUERY}`,
      [this.runId, ...this.#after, before ?? NO_END],
    );
    const last = rows.at(-1);
    if (!last) return [];
    const files = await this.#filesOf(rows.map(({ no }) => no));
    this.#after = [last.xact, last.no, last.repeat, last.attempt];
    return rows.map((row) => ({
      ...row,
      files: files.filter(({ no, repeat }) => no === row.no && repeat === row.repeat),
    }));
  }

  async #filesOf(numbers: readonly number[]) {
    const { rows } = await this.queries.query<FileRow & { no: number; repeat: number }>(
      `SELECT no, repeat, kind, about, path, bytes FROM robot_eval.files
       WHERE run_id = $1 AND no = ANY ($2::int[])`,
      [this.runId, numbers],
    );
    return rows;
  }
}
