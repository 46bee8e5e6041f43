import type { EpisodeLine } from "../core/interfaces/result.js";
import type { EpisodeFault } from "../evaluator/crew.js";
import type { Queries } from "./database/connect.js";
import type { FileRow } from "./episode-files.js";
import type { ClusterStatus } from "./runs-table.js";

/** A row of results or set_aside. */
export interface ResultRow {
  readonly no: number;
  readonly repeat: number;
  readonly attempt: number;
  readonly line: EpisodeLine;
  readonly faults: readonly EpisodeFault[];
  readonly xact: string;
  readonly files: readonly FileRow[];
}

/** How a run stood at a moment. */
export interface Moment {
  readonly status: ClusterStatus;
  readonly problem: string | null;
  readonly warnings: readonly string[];
  /** Every transaction before this one is over; undefined where the run is done, and so all are. */
  readonly before: string | undefined;
}

const ROWS_AT_ONCE = 32;
/** A transaction number that none reaches. */
const NO_END = "18446744073709551615";

export async function lookAt(queries: Queries, runId: string): Promise<Moment | undefined> {
  const { rows } = await queries.query<Omit<Moment, "before"> & { before: string }>(
    `SELECT status, problem, warnings, pg_snapshot_xmin(pg_current_snapshot())::text AS before
     FROM robot_eval.runs WHERE run_id = $1`,
    [runId],
  );
  const [row] = rows;
  return row && { ...row, before: row.status === "done" ? undefined : row.before };
}

/**
 * The results that came since the last time, each once. They are read by the numbers of the transactions
 * that recorded them: only what lies before all those still under way, since a later number may well be
 * seen before an earlier one.
 */
export class ResultReader {
  readonly #queries: Queries;
  readonly #runId: string;
  #after: readonly [xact: string, no: number, repeat: number, attempt: number] = ["0", 0, 0, 0];

  constructor(queries: Queries, runId: string) {
    this.#queries = queries;
    this.#runId = runId;
  }

  /** The next few; none when all up to the moment are read. */
  async next({ before }: Pick<Moment, "before">): Promise<readonly ResultRow[]> {
    const of = (table: string) =>
      `SELECT no, repeat, attempt, line, faults, xact FROM robot_eval.${table}
       WHERE run_id = $1 AND xact < $6::xid8 AND xact >= $2::xid8
         AND (xact, no, repeat, attempt) > ($2::xid8, $3::int, $4::int, $5::int)`;
    const { rows } = await this.#queries.query<Omit<ResultRow, "files">>(
      `SELECT no, repeat, attempt, line, faults, xact::text AS xact
       FROM (${of("results")} UNION ALL ${of("set_aside")}) AS both_tables
       ORDER BY both_tables.xact, no, repeat, attempt LIMIT ${ROWS_AT_ONCE}`,
      [this.#runId, ...this.#after, before ?? NO_END],
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
    const { rows } = await this.#queries.query<FileRow & { no: number; repeat: number }>(
      `SELECT no, repeat, kind, about, path, bytes FROM robot_eval.files
       WHERE run_id = $1 AND no = ANY ($2::int[])`,
      [this.#runId, numbers],
    );
    return rows;
  }
}
