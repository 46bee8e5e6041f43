import { describe, expect, it } from "vitest";
import { Random } from "../core/math/random.js";
import type { Interval } from "./interval.js";
import { meanInterval } from "./mean-interval.js";
import { repeatsInterval } from "./repeats-interval.js";
import { wilsonInterval } from "./wilson.js";

const rate = { kind: "rate", seed: 1 } as const;
const mean = { kind: "mean", seed: 1 } as const;
const width = ([low, high]: Interval) => high - low;

describe("repeatsInterval of a rate", () => {
  it("is Wilson's where each episode was run once", () => {
    expect(repeatsInterval([[1], [0], [1], [1]], rate)).toEqual({
      interval: wilsonInterval(3, 4),
      method: "wilson_repeats",
      mean: 0.75,
    });
  });

  it("is Wilson's on episodes where the repeats of each agree, however many they are", () => {
    const groups = [...new Array(14).fill([1, 1, 1, 1]), ...new Array(6).fill([0, 0, 0, 0])];
    const { interval } = repeatsInterval(groups, rate);
    const [low, high] = wilsonInterval(14, 20) ?? [0, 0];
    expect(interval?.[0]).toBeCloseTo(low, 12);
    expect(interval?.[1]).toBeCloseTo(high, 12);
  });

  it("takes no more than the episodes for independent where they show no spread", () => {
    const groups = new Array(20).fill([1, 0]);
    expect(repeatsInterval(groups, rate).interval).toEqual(wilsonInterval(10, 20));
    expect(repeatsInterval(new Array(7).fill([1, 1, 1]), rate).interval).toEqual(
      wilsonInterval(7, 7),
    );
    expect(repeatsInterval([[1, 1, 0, 0]], rate).interval?.[0]).toBeGreaterThan(0);
  });

  it("narrows no further than Wilson's on every value", () => {
    // One failure in 80: nothing tells its episode from the others.
    const groups = [[1, 1, 1, 0], ...new Array(19).fill([1, 1, 1, 1])];
    const all = wilsonInterval(79, 80) ?? [0, 0];
    const found = repeatsInterval(groups, rate).interval ?? [0, 0];
    expect(width(found)).toBeGreaterThanOrEqual(width(all));
    expect(width(found)).toBeLessThan(width(wilsonInterval(20, 20) ?? [0, 0]));
  });

  it("counts n_eff as done by hand for three episodes", () => {
    // Means 1, 1/2, 0: p = 1/2, s² = 1/4, so 3·(1/4)/(1/4) = 3 before t, and 3 is the least.
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

  it("weighs episodes the same, whatever number of repeats they have a value for", () => {
    expect(repeatsInterval([[1], [0, 0, 0]], rate).mean).toBe(0.5);
    expect(repeatsInterval([[1], [], [0]], rate).mean).toBe(0.5);
  });
});

describe("repeatsInterval of a mean", () => {
  const random = new Random(9);
  const groups = Array.from({ length: 30 }, () => [random.uniform(), random.uniform()]);
  const means = groups.map(([a = 0, b = 0]) => (a + b) / 2);
  const clusters = groups.map((_, i) => `scene${i % 12}`);

  it("is meanInterval's on the episodes' means, with their scenes", () => {
    expect(repeatsInterval(groups, { ...mean, clusters })).toMatchObject(
      meanInterval(means, { ...mean, clusters }),
    );
    expect(repeatsInterval(groups, { ...mean, clusters }).method).toBe("cluster_bootstrap");
    expect(repeatsInterval(groups, mean).method).toBe("bootstrap");
  });

  it("leaves an episode without values out, along with its scene", () => {
    expect(repeatsInterval([[], ...groups], { ...mean, clusters: ["other", ...clusters] })).toEqual(
      repeatsInterval(groups, { ...mean, clusters }),
    );
  });

  it("takes a rate with values between 0 and 1 for the mean it is", () => {
    expect(repeatsInterval([[0, 0.5], [1], [1, 0]], rate).method).toBe("bootstrap");
  });

  it("has none for one episode, nor for no values", () => {
    expect(repeatsInterval([[0.2, 0.4]], mean)).toMatchObject({ interval: null, method: "none" });
    const nothing = { interval: null, method: "none", mean: null };
    expect(repeatsInterval([], rate)).toEqual(nothing);
    expect(repeatsInterval([[], []], mean)).toEqual(nothing);
  });

  it("refuses scenes that do not pair up and values that are none", () => {
    expect(() => repeatsInterval([[1]], { ...mean, clusters: [] })).toThrow(
      "1 groups but 0 cluster names",
    );
    expect(() => repeatsInterval([[1], [0, Number.NaN]], rate)).toThrow("groups[1][1] is NaN");
  });
});

/** How hard an episode is: its probability of success. All by inversion. */
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

describe("where episodes differ in difficulty, 40 of them run five times", () => {
  for (const [difficulty, naive] of [
    ["Beta(2, 2)", 0.86],
    ["Beta(1/2, 1/2)", 0.76],
    ["Beta(9, 1)", 0.935],
  ] as const) {
    it(`${difficulty}: the interval covers, and is narrower than one on episodes alone`, () => {
      const { repeats, episodes, values } = simulate(difficulty, 40, 5);
      expect(repeats[0]).toBeGreaterThan(0.935);
      expect(repeats[0]).toBeLessThan(0.97);
      expect(repeats[1]).toBeLessThan(0.85 * (episodes[1] as number));
      // Every value taken for an episode of its own: far too sure.
      expect(values[0]).toBeLessThan(naive);
    });
  }

  it("covers with five episodes of twenty repeats as well", () => {
    for (const difficulty of Object.keys(DIFFICULTIES)) {
      const { repeats, values } = simulate(difficulty, 5, 20);
      expect(repeats[0]).toBeGreaterThan(0.93);
      expect(values[0]).toBeLessThan(0.8);
    }
  });
});
