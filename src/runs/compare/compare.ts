import { changedEnds, explain, flipsOf } from "./changed-episodes.js";
import { changedKeys } from "./changed-keys.js";
import type { RunComparison, RunComparisons } from "./documents.js";
import { type TestedMetric, testMetrics } from "./metrics.js";
import { notesOf } from "./notes.js";
import { type Pair, pairRuns, unjudgedTasks } from "./pair.js";
import { type ComparedRun, readComparedRun, refOf } from "./read-run.js";
import { judgeTogether } from "./verdict.js";

export interface CompareOptions {
  /** Compares only the episodes that both runs have. Without it, different episodes are an error. */
  readonly shared?: boolean | undefined;
  /** Maximum number of flipped episodes with an explanation, per direction. Default: all. */
  readonly explained?: number | undefined;
}

/**
 * Compares two runs episode by episode. Pairing makes small differences visible, since both agents faced the
 * same initial states.
 *
 * @example
 * const { metrics } = await compareRuns("runs/before", "runs/after");
 */
export async function compareRuns(
  pathA: string,
  pathB: string,
  options: CompareOptions = {},
): Promise<RunComparison> {
  const { comparisons } = await compareWithBaseline(pathA, [pathB], options);
  const [only] = comparisons;
  if (!only) throw new RangeError("comparing two runs gave no comparison");
  return only;
}

/**
 * Compares each run with the baseline. The tests of all primary metrics are one family for Holm's correction.
 *
 * @example
 * const { comparisons } = await compareWithBaseline("runs/a", ["runs/b", "runs/c"]);
 */
export async function compareWithBaseline(
  baseline: string,
  others: readonly string[],
  options: CompareOptions = {},
): Promise<RunComparisons> {
  const a = await readComparedRun(baseline);
  const drafts: Draft[] = [];
  for (const path of others) drafts.push(await draft(a, path, options));
  const { tests, metrics } = judgeTogether(drafts.map(({ tested }) => tested));
  return {
    format: "robot-eval-comparisons/1",
    baseline: refOf(a),
    comparisons: drafts.map(({ head, body }, i) => ({
      ...head,
      tests,
      metrics: metrics[i] ?? [],
      ...body,
    })),
  };
}

/** A comparison before the correction for multiple tests. */
interface Draft {
  readonly head: Pick<RunComparison, "format" | "a" | "b" | "episodes">;
  readonly tested: readonly TestedMetric[];
  readonly body: Omit<RunComparison, "format" | "a" | "b" | "episodes" | "tests" | "metrics">;
}

async function draft(a: ComparedRun, path: string, options: CompareOptions): Promise<Draft> {
  const b = await readComparedRun(path);
  const paired = pairRuns(a, b, { onlyShared: options.shared ?? false });
  const { counts, pairs, unjudged } = paired;
  const flips = flipsOf(paired);
  const explained = await explain(paired, flips, options.explained ?? Number.POSITIVE_INFINITY);
  const keys = (of: readonly Pair[]) => of.map(({ key }) => key);
  return {
    head: {
      format: "robot-eval-compare/1",
      a: refOf(a),
      b: refOf(b),
      episodes: {
        shared: counts.shared,
        only_a: counts.onlyA,
        only_b: counts.onlyB,
        invalid: unjudged.length,
        compared: pairs.length,
      },
    },
    tested: testMetrics(paired),
    body: {
      flipped: { to_success: keys(flips.to_success), to_failure: keys(flips.to_failure) },
      flipped_episodes: explained.flipped,
      changed_ends: changedEnds(paired),
      changed: changedKeys(a.info, b.info),
      unjudged_tasks: unjudgedTasks(paired),
      invalid_episodes: explained.unjudged,
      notes: notesOf(paired),
    },
  };
}
