import type { IntervalMethod } from "../core/interfaces/result.js";
import { effectiveCount } from "./effective-count.js";
import {
  areEqual,
  equalValuesInterval,
  equalValuesTest,
  equalValuesThreshold,
} from "./equal-values.js";
import { checkedRange, clip, type Interval } from "./interval.js";
import { estimateMean, sharesScenes, studentInterval, studentTest } from "./mean-estimate.js";
import { pairedDifferences } from "./paired-differences.js";
import { type TellApart, tellMeansApart, tellRatesApart } from "./power.js";
import { mcnemarScore, type PairedOutcomes, tangoInterval } from "./tango.js";

/** `equal_values` and `sign_exact` are for differences that are all equal and so have no variance. */
export type PairedTest = "mcnemar_score" | "paired_t" | "equal_values" | "sign_exact";

export interface PairedOptions {
  /** The scene of each pair. */
  readonly scenes?: readonly string[] | undefined;
  /** Lowest and highest possible value of the metric. Default: 0 and 1 if all values are, else no limits. */
  readonly range?: Interval | undefined;
  /** True if values are means over repeats: these are not outcomes, even where all are 0 or 1. */
  readonly repeated?: boolean;
}

/** The mean difference of two runs, second minus first. All parts are from one model. */
export interface PairedComparison {
  readonly interval: Interval | null;
  readonly method: IntervalMethod;
  readonly test: PairedTest;
  /** Only for outcomes. */
  readonly discordant: PairedOutcomes | null;
  /** Two-sided; null if no test is possible. Below 0.05 exactly where the interval excludes 0. */
  readonly p: number | null;
  /** What a test at this level would need; null without a test, and if all differences are 0. */
  readonly tellApart: (alpha: number) => TellApart | null;
}

/**
 * Compares two runs on the same episodes, given in the same order:
 *
 * - outcomes (every value 0 or 1): Tango's interval and McNemar's score test; where episodes share scenes, both on the
 *   effective number of pairs;
 * - differences that are all equal: `equalValuesInterval` and its test. If the metric's range is infinite there is no
 *   interval, and the test is the exact sign test, p = 2^(1-n);
 * - other values: Student's t interval and test of the mean difference; where episodes share scenes, over scenes.
 *
 * Intervals of differences are cut to [low - high, high - low] of the metric's range.
 */
export function comparePairs(
  first: readonly number[],
  second: readonly number[],
  { scenes, range, repeated = false }: PairedOptions = {},
): PairedComparison {
  const differences = pairedDifferences(first, second);
  const isBinary = [first, second].every((values) => values.every((v) => v === 0 || v === 1));
  if (isBinary && !repeated) return compareOutcomes(differences, scenes);
  const [low, high] = checkedRange(range ?? (isBinary ? [0, 1] : undefined), [...first, ...second]);
  const widest = high - low;
  if (differences.length > 1 && areEqual(differences)) return compareEqual(differences, widest);
  return compareMeans(differences, widest, scenes);
}

function compareOutcomes(
  differences: readonly number[],
  scenes: readonly string[] | undefined,
): PairedComparison {
  const n = differences.length;
  const discordant = {
    onlyFirst: differences.filter((d) => d < 0).length,
    onlySecond: differences.filter((d) => d > 0).length,
    n,
  };
  const effective = effectiveCount(differences, scenes);
  const share = effective / n;
  const scaled = {
    onlyFirst: discordant.onlyFirst * share,
    onlySecond: discordant.onlySecond * share,
    n: effective,
  };
  const isSame = discordant.onlyFirst + discordant.onlySecond === 0;
  return {
    interval: n > 0 ? tangoInterval(scaled) : null,
    method: n === 0 ? "none" : scenes && sharesScenes(scenes) ? "tango_scenes" : "tango",
    test: "mcnemar_score",
    discordant,
    p: n > 0 ? mcnemarScore(scaled) : null,
    tellApart: (alpha) => (isSame ? null : tellRatesApart(discordant, effective, { alpha })),
  };
}

function compareEqual(differences: readonly number[], widest: number): PairedComparison {
  const n = differences.length;
  const [difference = 0] = differences;
  const range: Interval = [-widest, widest];
  const interval = equalValuesInterval(difference, n, range);
  const isSame = difference === 0;
  const p = interval ? equalValuesTest(difference, n, range) : 2 ** (1 - n);
  return {
    interval,
    method: interval ? "equal_values" : "none",
    test: interval ? "equal_values" : "sign_exact",
    discordant: null,
    p: isSame ? 1 : p,
    tellApart: (alpha) => {
      if (isSame) return null;
      const threshold = equalValuesThreshold(difference, alpha, range);
      // The sign test's p = 2^(1-n) does not depend on the size of the difference.
      const enough = interval ? threshold / Math.abs(difference) : 1 - Math.log2(alpha);
      const needed = Math.floor(enough) + 1;
      const detectable = interval && threshold / n <= widest ? threshold / n : null;
      return { needed, more: Math.max(0, needed - n), detectable };
    },
  };
}

function compareMeans(
  differences: readonly number[],
  widest: number,
  scenes: readonly string[] | undefined,
): PairedComparison {
  const estimate = estimateMean(differences, scenes);
  const interval = estimate && clip(studentInterval(estimate), [-widest, widest]);
  return {
    interval,
    method: interval ? (scenes && sharesScenes(scenes) ? "cluster_t" : "student_t") : "none",
    test: "paired_t",
    discordant: null,
    p: estimate && studentTest(estimate),
    tellApart: (alpha) =>
      estimate && tellMeansApart(estimate, differences.length, widest, { alpha }),
  };
}
