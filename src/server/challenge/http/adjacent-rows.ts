import { pairedTest } from "../../../runs/compare/paired-test.js";
import { studentTTwoSided } from "../../../stats/distributions.js";
import { holmAdjust } from "../../../stats/holm.js";
import { mcnemarExact } from "../../../stats/mcnemar.js";
import { pairedDifferences } from "../../../stats/paired-differences.js";
import type { Comparison } from "./documents.js";

/** A submission's values of the leaderboard's metric. */
export interface EpisodeValues {
  /** The mean over the judged repeats of each episode. */
  readonly values: ReadonlyMap<string, { readonly task: string; readonly value: number }>;
  /** True if any value is the mean of several repeats. */
  readonly repeated: boolean;
}

/** Two rows with an adjusted p below this are distinguishable. */
const ALPHA = 0.05;

interface Test {
  readonly n: number;
  readonly test: Comparison["test"];
  readonly p: number | null;
}

/**
 * Compares each row of a leaderboard with the one above it. The p-values of all rows are adjusted together (Holm),
 * because a long table has many comparisons.
 */
export function compareAdjacentRows(ordered: readonly EpisodeValues[]): {
  readonly tests: number;
  /** One for each row; null for the first. */
  readonly comparisons: readonly (Comparison | null)[];
} {
  const tests = ordered.map((own, i): Test | null => {
    const above = ordered[i - 1];
    return above === undefined ? null : testPair(above, own);
  });
  const made = tests.filter((test) => test !== null && test.p !== null);
  const adjusted = holmAdjust(made.map((test) => test?.p ?? 1));
  const comparisons = tests.map((test): Comparison | null => {
    if (test === null) return null;
    const at = made.indexOf(test);
    const pHolm = at < 0 ? null : (adjusted[at] ?? 1);
    return {
      n: test.n,
      test: test.test,
      p_holm: pHolm,
      distinguishable: pHolm !== null && pHolm < ALPHA,
    };
  });
  return { tests: made.length, comparisons };
}

interface Stratum {
  readonly a: number[];
  readonly b: number[];
}

function testPair(above: EpisodeValues, own: EpisodeValues): Test {
  const strata = new Map<string, Stratum>();
  let n = 0;
  for (const [key, { task, value }] of above.values) {
    const other = own.values.get(key);
    if (!other) continue;
    const stratum = strata.get(task) ?? { a: [], b: [] };
    strata.set(task, stratum);
    stratum.a.push(value);
    stratum.b.push(other.value);
    n++;
  }
  const [only, ...more] = strata.values();
  if (only === undefined) return { n, test: "paired_t", p: null };
  if (more.length > 0) return { n, test: "stratified_t", p: stratifiedT([only, ...more]) };
  const { test, p } = pairedTest(only.a, only.b, above.repeated || own.repeated);
  return { n, test, p };
}

/**
 * Tests whether the mean over tasks of their mean paired differences is zero. Each task has the same weight, as in
 * the leaderboard's score.
 *
 * Formula: t = Σ d̄ / √Σ v, v = s²/n of each task's differences; degrees of freedom after Welch and
 * Satterthwaite, (Σ v)² / Σ v²/(n - 1).
 * Edge cases: a task with a single shared episode has no variance, no test (null). No spread in any task: p = 1
 * where the differences cancel, else an exact sign test over all episodes.
 * Source: Welch, Biometrika 34 (1947); Satterthwaite, Biometrics Bulletin 2 (1946).
 */
function stratifiedT(strata: readonly Stratum[]): number | null {
  let [sum, variance, squares, n] = [0, 0, 0, 0];
  for (const { a, b } of strata) {
    const differences = pairedDifferences(a, b);
    const count = differences.length;
    if (count < 2) return null;
    const mean = differences.reduce((x, d) => x + d, 0) / count;
    const spread = differences.reduce((x, d) => x + (d - mean) ** 2, 0) / (count - 1) / count;
    sum += mean;
    variance += spread;
    squares += spread ** 2 / (count - 1);
    n += count;
  }
  if (variance === 0) return sum === 0 ? 1 : mcnemarExact(0, n);
  return studentTTwoSided(sum / Math.sqrt(variance), variance ** 2 / squares);
}
