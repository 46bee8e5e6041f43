import { holmAdjust } from "../../stats/holm.js";
import { testMetrics } from "../compare/metrics.js";
import { pairRuns } from "../compare/pair.js";
import type { ComparedRun } from "../compare/read-run.js";
import { ALPHA } from "../compare/verdict.js";

/** A column of the table, with the mean that each row shows. */
export interface TestedColumn {
  readonly task: string;
  readonly metric: string;
  readonly primary: boolean;
  readonly direction: "higher" | "lower" | "none";
  /** Null if the row has no value. */
  readonly means: readonly (number | null)[];
}

export interface BestRows {
  /** The row that is better than every other one, for each column; undefined if there is none. */
  readonly winners: readonly (number | undefined)[];
  /** Number of tests in each family of Holm's correction. */
  readonly tests: { readonly primary: number; readonly other: number };
}

/** A test of rows `first` and `second`; `difference` is second minus first. */
interface RowTest {
  readonly first: number;
  readonly second: number;
  readonly column: number;
  readonly p: number;
  readonly difference: number;
}

/**
 * Finds the rows to emphasise: every pair of rows is tested in every column with a direction, and a row wins if it is
 * better than every other row. Holm's correction covers all pairs, because the winner is chosen after seeing the values.
 * Primary metrics are one family and the others another, so adding columns does not decide which success rate is bold.
 *
 * @param onlyShared accepts runs that have different episodes
 * @throws ConfigError if two runs are not comparable
 */
export function findBest(
  runs: readonly ComparedRun[],
  columns: readonly TestedColumn[],
  onlyShared: boolean,
): BestRows {
  const tests = testPairs(runs, columns, onlyShared);
  const isPrimary = (test: RowTest) => columns[test.column]?.primary ?? false;
  const primary = tests.filter(isPrimary);
  const other = tests.filter((test) => !isPrimary(test));
  const significant = new Set([...significantOf(primary), ...significantOf(other)]);
  return {
    winners: columns.map((column, i) =>
      winnerOf(
        column,
        [...significant].filter((test) => test.column === i),
      ),
    ),
    tests: { primary: primary.length, other: other.length },
  };
}

function testPairs(
  runs: readonly ComparedRun[],
  columns: readonly TestedColumn[],
  onlyShared: boolean,
): RowTest[] {
  const places = new Map(columns.map(({ task, metric }, i) => [JSON.stringify([task, metric]), i]));
  const tests: RowTest[] = [];
  for (const [second, b] of runs.entries()) {
    for (const [first, a] of runs.slice(0, second).entries()) {
      const paired = pairRuns(a, b, { onlyShared, mayLack: isCut });
      for (const { row } of testMetrics(paired)) {
        const column = places.get(JSON.stringify([row.task, row.metric]));
        if (column === undefined || columns[column]?.direction === "none") continue;
        const { p, difference } = row;
        if (p !== null) tests.push({ first, second, column, p, difference });
      }
    }
  }
  return tests;
}

/** Whether a run lacks episodes for a reason that the table states in a footnote. */
function isCut({ summary, info }: ComparedRun): boolean {
  const stops = Object.values(summary?.early_stop ?? {});
  return info.partial !== undefined || stops.some(({ reached }) => reached);
}

function significantOf(family: readonly RowTest[]): RowTest[] {
  const adjusted = holmAdjust(family.map(({ p }) => p));
  return family.filter((_, i) => (adjusted[i] ?? 1) < ALPHA);
}

/** The means must agree with the tests: where rows cover different episodes, they may not. */
function winnerOf(
  { direction, means }: TestedColumn,
  significant: readonly RowTest[],
): number | undefined {
  const sign = direction === "lower" ? -1 : 1;
  const rows = [...means.keys()].filter((row) => typeof means[row] === "number");
  if (rows.length < 2) return undefined;
  const beats = (row: number, other: number) =>
    sign * ((means[row] ?? 0) - (means[other] ?? 0)) > 0 &&
    significant.some(({ first, second, difference }) =>
      first === row && second === other
        ? sign * difference < 0
        : first === other && second === row && sign * difference > 0,
    );
  return rows.find((row) => rows.every((other) => other === row || beats(row, other)));
}
