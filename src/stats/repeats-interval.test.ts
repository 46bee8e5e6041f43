import { describe, expect, it } from "vitest";
import { Random } from "../core/math/random.js";
import type { Interval } from "./interval.js";
import { meanInterval } from "./mean-interval.js";
import { repeatsInterval } from "./repeats-interval.js";
import { wilsonInterval } from "./wilson.js";

const rate = { kind: "rate" } as const;
const mean = { kind: "mean" } as const;
const width = ([low, high]: Interval) => high - low;

describe("repeatsInterval of a rate", () => {
  it("repeatsInterval of a rate is the Wilson interval when each episode was run once", () => {
    expect(repeatsInterval([[1], [0], [1], [1]], rate)).toEqual({
      interval: wilsonInterval(3, 4),
      method: "wilson_repeats",
      mean: 0.75,
    });
  });

  it("repeatsInterval of a rate is the Wilson interval over episodes when all repeats of each episode agree", () => {
    const groups = [...new Array(14).fill([1, 1, 1, 1]), ...new Array(6).fill([0, 0, 0, 0])];
    const { interval } = repeatsInterval(groups, rate);
    const [low, high] = wilsonInterval(14, 20) ?? [0, 0];
    expect(interval?.[0]).toBeCloseTo(low, 12);
    expect(interval?.[1]).toBeCloseTo(high, 12);
  });

  it("repeatsInterval counts each episode once when all episodes have the same mean", () => {
    const groups = new Array(20).fill([1, 0]);
    expect(repeatsInterval(groups, rate).interval).toEqual(wilsonInterval(10, 20));
    expect(repeatsInterval(new Array(7).fill([1, 1, 1]), rate).interval).toEqual(
      wilsonInterval(7, 7),
    );
    expect(repeatsInterval([[1, 1, 0, 0]], rate).interval?.[0]).toBeGreaterThan(0);
  });

  it("repeatsInterval of a rate is never narrower than the Wilson interval over all values", () => {
    // One failure in 80 values: no evidence that its episode differs from the others.
    const groups = [[1, 1, 1, 0], ...new Array(19).fill([1, 1, 1, 1])];
    const all = wilsonInterval(79, 80) ?? [0, 0];
    const found = repeatsInterval(groups, rate).interval ?? [0, 0];
    expect(width(found)).toBeGreaterThanOrEqual(width(all));
    expect(width(found)).toBeLessThan(width(wilsonInterval(20, 20) ?? [0, 0]));
  });

  it("repeatsInterval of a rate agrees with the effective count computed by hand for three episodes", () => {
    // Means 1, 1/2, 0: p = 1/2, s² = 1/4, so 3·(1/4)/(1/4) = 3 before the t factor, and 3 is the minimum.
    const groups = [
      [1, 1],
      [1, 0],
      [0, 0],
    ];
    const { interval } = repeatsInterval(groups, rate);
    const z2 = 1.959963984540054 ** 2;
    const half = (Math.sqrt(z2) / (1 + z2 / 3)) * Math.sqrt((0.25 + z2 / 12) / 3);
    expect(interval?.[0]).toBeCloseTo(0.5 - half, 12);
    expect(interval?.[1]).toBeCloseTo(0.5 + half, 12);
  });

  it("repeatsInterval of a rate is the interval over shared scenes when each episode was run once", () => {
    const outcomes = [1, 1, 1, 1, 0, 0, 1, 0, 0];
    const clusters = [..."aaabbbccc"];
    const groups = outcomes.map((value) => [value]);
    const found = repeatsInterval(groups, { ...rate, clusters });
    const { interval } = meanInterval(outcomes, { ...rate, clusters });
    expect(found.interval?.[0]).toBeCloseTo(interval?.[0] ?? Number.NaN, 12);
    expect(found.interval?.[1]).toBeCloseTo(interval?.[1] ?? Number.NaN, 12);
    expect(found.interval).not.toEqual(wilsonInterval(5, 9));
  });

  it("repeatsInterval weighs episodes equally, however many of their repeats have a value", () => {
    expect(repeatsInterval([[1], [0, 0, 0]], rate).mean).toBe(0.5);
    expect(repeatsInterval([[1], [], [0]], rate).mean).toBe(0.5);
  });
});

describe("repeatsInterval of a mean", () => {
  const random = new Random(9);
  const groups = Array.from({ length: 30 }, () => [random.uniform(), random.uniform()]);
  const means = groups.map(([a = 0, b = 0]) => (a + b) / 2);
  const clusters = groups.map((_, i) => `scene${i % 12}`);

  it("repeatsInterval of a mean equals meanInterval of the means of the episodes with their scenes", () => {
    expect(repeatsInterval(groups, { ...mean, clusters })).toMatchObject(
      meanInterval(means, { ...mean, clusters }),
    );
    expect(repeatsInterval(groups, { ...mean, clusters }).method).toBe("cluster_t");
    expect(repeatsInterval(groups, mean).method).toBe("student_t");
  });

  it("repeatsInterval ignores an episode without values, and its scene", () => {
    expect(repeatsInterval([[], ...groups], { ...mean, clusters: ["other", ...clusters] })).toEqual(
      repeatsInterval(groups, { ...mean, clusters }),
    );
  });

  it("repeatsInterval treats a rate with values between 0 and 1 as a mean", () => {
    expect(repeatsInterval([[0, 0.5], [1], [1, 0]], rate).method).toBe("student_t");
  });

  it("repeatsInterval gives no interval for one episode or for no values", () => {
    expect(repeatsInterval([[0.2, 0.4]], mean)).toMatchObject({ interval: null, method: "none" });
    const nothing = { interval: null, method: "none", mean: null };
    expect(repeatsInterval([], rate)).toEqual(nothing);
    expect(repeatsInterval([[], []], mean)).toEqual(nothing);
  });

  it("repeatsInterval rejects a list of scenes of another length, and NaN values", () => {
    expect(() => repeatsInterval([[1]], { ...mean, clusters: [] })).toThrow(
      "1 groups but 0 cluster names",
    );
    expect(() => repeatsInterval([[1], [0, Number.NaN]], rate)).toThrow("groups[1][1] is NaN");
  });
});

/** Distributions of an episode's probability of success, with their mean and a way to draw from them. */
const DIFFICULTIES: Readonly<
  Record<string, readonly [truth: number, draw: (r: Random) => number]>
> = {
  "Beta(2, 2)": [
    0.5,
    (r) => [r.uniform(), r.uniform(), r.uniform()].sort((a, b) => a - b)[1] as number,
  ],
  "Beta(1/2, 1/2)": [0.5, (r) => Math.sin((Math.PI / 2) * r.uniform()) ** 2],
  "Beta(9, 1)": [0.9, (r) => r.uniform() ** (1 / 9)],
};

/** Coverage and mean width of the three candidates over 2,000 experiments. */
function simulate(difficulty: string, n: number, k: number) {
  const [truth, draw] = DIFFICULTIES[difficulty] as readonly [number, (r: Random) => number];
  const random = new Random(n * 100 + k);
  const found = { repeats: [0, 0], episodes: [0, 0], values: [0, 0] };
  const EXPERIMENTS = 2000;
  for (let i = 0; i < EXPERIMENTS; i++) {
    const groups = Array.from({ length: n }, () => {
      const p = draw(random);
      return Array.from({ length: k }, () => (random.uniform() < p ? 1 : 0));
    });
    const successes = groups.flat().filter((value) => value === 1).length;
    const candidates = {
      repeats: repeatsInterval(groups, rate).interval,
      episodes: wilsonInterval(Math.round(successes / k), n),
      values: wilsonInterval(successes, n * k),
    };
    for (const key of ["repeats", "episodes", "values"] as const) {
      const [low, high] = candidates[key] ?? [0, 0];
      const [covered = 0, total = 0] = found[key];
      const hit = low <= truth && truth <= high ? 1 : 0;
      found[key] = [covered + hit / EXPERIMENTS, total + (high - low) / EXPERIMENTS];
    }
  }
  return found;
}

describe("repeatsInterval of episodes that differ in difficulty", () => {
  for (const [difficulty, naive] of [
    ["Beta(2, 2)", 0.86],
    ["Beta(1/2, 1/2)", 0.76],
    ["Beta(9, 1)", 0.935],
  ] as const) {
    it(`repeatsInterval of episodes that differ in difficulty has its nominal coverage for ${difficulty} and is narrower than Wilson over episodes`, () => {
      const { repeats, episodes, values } = simulate(difficulty, 40, 5);
      expect(repeats[0]).toBeGreaterThan(0.935);
      expect(repeats[0]).toBeLessThan(0.97);
      expect(repeats[1]).toBeLessThan(0.85 * (episodes[1] as number));
      // Counting every repeat as an independent episode gives too narrow an interval.
      expect(values[0]).toBeLessThan(naive);
    });
  }

  it("repeatsInterval of episodes that differ in difficulty has its nominal coverage for five episodes of twenty repeats too", () => {
    for (const difficulty of Object.keys(DIFFICULTIES)) {
      const { repeats, values } = simulate(difficulty, 5, 20);
      expect(repeats[0]).toBeGreaterThan(0.93);
      expect(values[0]).toBeLessThan(0.8);
    }
  });
});
