import { studentTTwoSided } from "../../../stats/distributions.js";
import { areEqual } from "../../../stats/equal-values.js";
import { holmAdjust } from "../../../stats/holm.js";
import { estimateMean } from "../../../stats/mean-estimate.js";
import { comparePairs } from "../../../stats/paired-comparison.js";
import { pairedDifferences } from "../../../stats/paired-differences.js";
import type { Comparison } from "./documents.js";

export interface EpisodeValue {
  readonly task: string;
  readonly scene: string;
  /** The mean over the episode's judged repeats. */
  readonly value: number;
}

/** A submission's values of the leaderboard's metric. */
export interface EpisodeValues {
  readonly values: ReadonlyMap<string, EpisodeValue>;
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
  readonly scenes: string[];
}

function testPair(above: EpisodeValues, own: EpisodeValues): Test {
  const strata = new Map<string, Stratum>();
  let n = 0;
  for (const [key, { task, scene, value }] of above.values) {
    const other = own.values.get(key);
    if (!other) continue;
    const stratum = strata.get(task) ?? { a: [], b: [], scenes: [] };
    strata.set(task, stratum);
    stratum.a.push(value);
    stratum.b.push(other.value);
    stratum.scenes.push(scene);
    n++;
  }
  const [only, ...more] = strata.values();
  if (only === undefined) return { n, test: "paired_t", p: null };
  if (more.length > 0) return { n, test: "stratified_t", p: stratifiedT([only, ...more]) };
  const { a, b, scenes } = only;
  const { test, p } = comparePairs(a, b, { scenes, repeated: above.repeated || own.repeated });
  return { n, test, p };
}

/**
 * Tests whether the mean over tasks of their mean paired differences is zero. Each task has the same weight, as in
 * the leaderboard's score.
 *
 * Formula: t = Σ d̄ / √Σ v, v the squared standard error of each task's mean difference (over scenes where episodes
 * share them) with f degrees of freedom; those of t after Welch and Satterthwaite, (Σ v)² / Σ v²/f.
 * Edge cases: a task with a single shared episode has no variance, no test (null). No spread in any task: p = 1
 * where the differences cancel, else an exact sign test over all episodes.
 * Source: Welch, Biometrika 34 (1947); Satterthwaite, Biometrics Bulletin 2 (1946).
 */
function stratifiedT(strata: readonly Stratum[]): number | null {
  let [sum, variance, squares, n] = [0, 0, 0, 0];
  for (const { a, b, scenes } of strata) {
    const differences = pairedDifferences(a, b);
    const estimate = estimateMean(differences, scenes);
    if (!estimate) return null;
    const spread = areEqual(differences) ? 0 : estimate.standardError ** 2;
    sum += estimate.mean;
    variance += spread;
    squares += spread ** 2 / estimate.df;
    n += differences.length;
  }
  if (variance === 0) return sum === 0 ? 1 : 2 ** (1 - n);
  return studentTTwoSided(sum / Math.sqrt(variance), variance ** 2 / squares);
}
