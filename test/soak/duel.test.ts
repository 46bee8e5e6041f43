import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/load.js";
import { Random } from "../../src/core/math/random.js";
import { DuelState } from "../../src/evaluator/duel/duel-state.js";
import { runDuel } from "../../src/evaluator/duel/run-duel.js";
import type { Interval } from "../../src/stats/interval.js";
import { PairedSequence } from "../../src/stats/paired-sequence.js";
import { logGamma } from "../../src/stats/special-functions.js";
import { evidenceSize, writeEvidence } from "../support/evidence.js";
import { tempDir } from "../support/tiny-world.js";

const NULL_DUELS = evidenceSize({ full: 10_000, soak: 1_000 });
const DUELS = evidenceSize({ full: 5_000, soak: 400 });
const GAPS = [0.05, 0.1, 0.15, 0.2, 0.3, 0.4];
const ALPHA = 0.05;
/** Seeds of the reported draws. The method was chosen without draws, by exact computation at correlations of 0 to 0.5. */
const SEED = 977_000_000;

/**
 * Correlation of the outcomes of two policies. 0.42 was measured for `noisy:0.86` and `noisy:0.9` on `vln_graph` with 20
 * repeats: 1,200 pairs, of which only the first solved 268 and only the second 42.
 */
const SETTINGS = [
  { name: "independent", correlation: 0 },
  { name: "paired", correlation: 0.42 },
] as const;

interface Rates {
  readonly onlyA: number;
  readonly onlyB: number;
  /** Solved by both. */
  readonly both: number;
}

/** Success rates 0.5 ∓ gap / 2 with the given correlation. */
function ratesOf(gap: number, correlation: number): Rates {
  const [a, b] = [0.5 - gap / 2, 0.5 + gap / 2];
  const both = a * b + correlation * Math.sqrt(a * (1 - a) * b * (1 - b));
  return { onlyA: a - both, onlyB: b - both, both };
}

function draw(random: Random, { onlyA, onlyB, both }: Rates): readonly [number, number] {
  const u = random.uniform();
  if (u < onlyA) return [1, 0];
  if (u < onlyA + onlyB) return [0, 1];
  return u < onlyA + onlyB + both ? [1, 1] : [0, 0];
}

/** The pairs after which a duel stops; undefined if it does not within `maximum`. */
function stopOf(random: Random, rates: Rates, maximum: number) {
  const sequence = new PairedSequence({ kind: "rate", maximum });
  for (let n = 1; n <= maximum; n++) {
    const [a, b] = draw(random, rates);
    sequence.add(a, b);
    const verdict = a === b ? undefined : sequence.verdict(ALPHA);
    if (verdict) return { n, verdict };
  }
  return undefined;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

const logChoose = (n: number, k: number) => logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1);
const binomial = (n: number, k: number, p: number) =>
  Math.exp(logChoose(n, k) + k * Math.log(p) + (n - k) * Math.log1p(-p));

/** The least number of successes of d fair coins at which McNemar's exact test is significant; more than d if there is none. */
function criticalCount(d: number): number {
  let tail = 0;
  for (let k = d; k >= d / 2; k--) {
    tail += binomial(d, k, 0.5);
    if (2 * tail > ALPHA) return k + 1;
  }
  return Math.ceil(d / 2);
}

const critical: number[] = [];

/** The exact power of McNemar's exact test at n pairs. */
function mcNemarPower(n: number, { onlyA, onlyB }: Rates): number {
  const share = onlyA + onlyB;
  const theta = onlyB / share;
  let power = 0;
  for (let d = 1; d <= n; d++) {
    const weight = binomial(n, d, share);
    if (weight < 1e-9) continue;
    critical[d] ??= criticalCount(d);
    let rejected = 0;
    for (let k = critical[d] ?? d + 1; k <= d; k++) {
      rejected += binomial(d, k, theta) + binomial(d, k, 1 - theta);
    }
    power += weight * rejected;
  }
  return power;
}

const fixedCounts = new Map<string, number>();

/** The least n with a power of 0.8: the power oscillates, so the search goes up one by one from a lower bound. */
function fixedCount(rates: Rates): number {
  const key = JSON.stringify(rates);
  const known = fixedCounts.get(key);
  if (known !== undefined) return known;
  const gap = rates.onlyB - rates.onlyA;
  const share = rates.onlyA + rates.onlyB;
  // 0.97 of the normal approximation for 80 % power, without a correction for continuity.
  let n = Math.floor(
    (0.97 * (1.96 * Math.sqrt(share) + 0.84 * Math.sqrt(share - gap ** 2)) ** 2) / gap ** 2,
  );
  while (mcNemarPower(n, rates) < 0.8) n++;
  fixedCounts.set(key, n);
  return n;
}

const found: Record<string, string | number>[] = [];

/** Draws for a comparison with other programs, as rows of outcomes; see test/support/step_duel.py. */
const drawsFile = process.env.ROBOT_EVAL_DRAWS;
const drawn: { readonly name: string; readonly gap: number; readonly pairs: string[] }[] = [];

afterAll(() => {
  writeEvidence("duel", `Duels, ${DUELS} (equal skill: ${NULL_DUELS}) in each row`, found);
  if (drawsFile !== undefined) writeFileSync(drawsFile, JSON.stringify(drawn));
});

describe.each([200, 500, 2000])("duels of at most %i pairs", (maximum) => {
  describe.each(SETTINGS)("with $name outcomes", ({ name, correlation }) => {
    it("duels give a false verdict between equal policies in at most 5 %, looking after every pair", () => {
      const rates = ratesOf(0, correlation);
      let wrong = 0;
      for (let i = 0; i < NULL_DUELS; i++) {
        if (stopOf(new Random(SEED + i), rates, maximum)) wrong++;
      }
      const share = wrong / NULL_DUELS;
      found.push({
        maximum,
        setting: name,
        gap: 0,
        decided: percent(share),
        wrong: percent(share),
        median: "–",
        "McNemar n": "–",
        ratio: "–",
      });
      // The exact error is at most 5 %; three standard errors are the noise of the simulation.
      expect(share).toBeLessThan(ALPHA + 3 * Math.sqrt((ALPHA * (1 - ALPHA)) / NULL_DUELS));
    });

    it.each(GAPS)(
      "duels find a gap of %f with a median of about the pairs of a fixed test, or fewer",
      (gap) => {
        const rates = ratesOf(gap, correlation);
        const stops: number[] = [];
        let [decided, wrong] = [0, 0];
        for (let i = 0; i < DUELS; i++) {
          const stop = stopOf(new Random(SEED + i), rates, maximum);
          stops.push(stop?.n ?? Number.POSITIVE_INFINITY);
          if (stop) decided++;
          if (stop?.verdict === "a") wrong++;
        }
        const fixed = fixedCount(rates);
        const middle = median(stops);
        const ratio = middle / fixed;
        found.push({
          ...{
            maximum,
            setting: name,
            gap,
            decided: percent(decided / DUELS),
            wrong: percent(wrong / DUELS),
          },
          median: Number.isFinite(middle) ? middle : `> ${maximum}`,
          "McNemar n": fixed,
          ratio: Number.isFinite(ratio) ? ratio.toFixed(2) : "–",
        });
        expect(wrong / DUELS).toBeLessThan(0.025);
        // Stopping times spread by about 60 % of their median, so that their median has this standard error.
        const error = (1.25 * 0.6) / Math.sqrt(DUELS);
        if (fixed < maximum / 2 && gap >= 0.1) expect(ratio).toBeLessThan(1.05 + 3 * error);
      },
    );
  });
});

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

describe("the confidence sequence of the difference", () => {
  it.each([0, 0.1, 0.2, 0.4])(
    "the confidence sequence of the difference excludes at any time a true difference of %f in at most 5 % of duels",
    (gap) => {
      const rates = ratesOf(gap, 0.42);
      const holds = ([low, high]: Interval) => low <= gap && gap <= high;
      let excluded = 0;
      for (let i = 0; i < NULL_DUELS / 10; i++) {
        const random = new Random(SEED + i);
        const sequence = new PairedSequence({ kind: "rate", maximum: 200 });
        let isHeld = true;
        for (let n = 1; n <= 200 && isHeld; n++) {
          const [a, b] = draw(random, rates);
          sequence.add(a, b);
          if (a !== b || n % 20 === 0) isHeld = holds(sequence.interval(ALPHA));
        }
        if (!isHeld) excluded++;
      }
      const share = excluded / (NULL_DUELS / 10);
      expect(share).toBeLessThan(ALPHA + 3 * Math.sqrt((ALPHA * (1 - ALPHA)) / (NULL_DUELS / 10)));
    },
  );
});

describe("duels of several policies", () => {
  const DUELS_OF_FOUR = evidenceSize({ full: 2_000, soak: 200 });
  const order = Array.from({ length: 300 }, (_, i) => `${i}`);
  /** A duel of policies with these success rates; an episode is as hard for one as for the others. */
  function held(rates: readonly number[], seed: number): DuelState {
    const random = new Random(SEED + seed);
    const task = { name: "t", kind: "rate", order, isLowerBetter: false } as const;
    const state = new DuelState({ tasks: [task], policies: rates.length, alpha: ALPHA });
    for (const key of order) {
      if (state.isOver) break;
      const shared = random.uniform();
      for (const [policy, rate] of rates.entries()) {
        const u = random.uniform() < 0.5 ? shared : random.uniform();
        const value = u < rate ? 1 : 0;
        if (!state.isOverFor(policy, "t")) {
          state.offer(policy, "t", key, { value, isSolved: value === 1 });
        }
      }
    }
    return state;
  }

  it("duels of several policies give any verdict between four equal policies in at most 5 %", () => {
    let wrong = 0;
    for (let i = 0; i < DUELS_OF_FOUR; i++) {
      const { comparisons } = held([0.5, 0.5, 0.5, 0.5], i);
      if (comparisons.some(({ verdict }) => verdict !== undefined)) wrong++;
    }
    const noise = 3 * Math.sqrt((ALPHA * (1 - ALPHA)) / DUELS_OF_FOUR);
    expect(wrong / DUELS_OF_FOUR).toBeLessThan(ALPHA + noise);
  });

  it("duels of several policies give a wrong verdict between any of 0.3, 0.5, 0.5 and 0.8 in at most 5 %, and drop the worst early", () => {
    const rates = [0.3, 0.5, 0.5, 0.8];
    let [wrong, used] = [0, 0];
    for (let i = 0; i < DUELS_OF_FOUR; i++) {
      const state = held(rates, i);
      const isWrong = state.comparisons.some(({ a, b, verdict }) => {
        if (typeof verdict !== "number") return false;
        const other = verdict === a ? b : a;
        return (rates[verdict] ?? 0) <= (rates[other] ?? 0);
      });
      if (isWrong) wrong++;
      used += state.counted(0, "t");
    }
    const noise = 3 * Math.sqrt((ALPHA * (1 - ALPHA)) / DUELS_OF_FOUR);
    expect(wrong / DUELS_OF_FOUR).toBeLessThan(ALPHA + noise);
    expect(used / DUELS_OF_FOUR).toBeLessThan(100);
  });
});

it.runIf(drawsFile !== undefined)("the draws of duels are written for other programs", () => {
  for (const { name, correlation } of SETTINGS) {
    for (const gap of [0, ...GAPS]) {
      const rates = ratesOf(gap, correlation);
      const pairs = Array.from({ length: DUELS }, (_, i) => {
        const random = new Random(SEED + i);
        return Array.from({ length: 200 }, () => {
          const [a, b] = draw(random, rates);
          return 2 * a + b;
        }).join("");
      });
      drawn.push({ name, gap, pairs });
    }
  }
});

describe("a duel between noisy experts in a simulator", () => {
  it("a duel between noisy experts in a simulator finds a gap of 0.2 and saves episodes in most of ten seeds, and never prefers the worse", async () => {
    let better = 0;
    let saved = 0;
    for (let seed = 0; seed < 10; seed++) {
      const loaded = loadConfig("vln_graph", {
        set: ["dataset.vln.data_path=data/graph_nav/train.json.gz"],
      });
      const { comparisons, episodes } = await runDuel(loaded, {
        agents: ["noisy:0.86", "noisy:0.9"],
        out: join(tempDir(), "duel"),
        seed,
      });
      expect(comparisons[0]?.verdict).not.toBe("worse");
      if (comparisons[0]?.verdict === "better") better++;
      saved += episodes.saved;
    }
    expect(better).toBeGreaterThanOrEqual(8);
    expect(saved).toBeGreaterThan(0);
  });
});
