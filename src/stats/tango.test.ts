import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mcnemarScore, type PairedOutcomes, tangoInterval } from "./tango.js";

const pairs = fc
  .tuple(
    fc.integer({ min: 0, max: 40 }),
    fc.integer({ min: 0, max: 40 }),
    fc.integer({ min: 1, max: 40 }),
  )
  .map(([onlyFirst, onlySecond, same]) => ({
    onlyFirst,
    onlySecond,
    n: onlyFirst + onlySecond + same,
  }));

/**
 * The score test of a difference, with the likelihood maximised over a grid instead of by Tango's formula: `first` is
 * the share of pairs that only the first run solves, `first + delta` that of the second.
 */
function scoreStatistic({ onlyFirst, onlySecond, n }: PairedOutcomes, delta: number): number {
  const log = (count: number, share: number) => (count === 0 ? 0 : count * Math.log(share));
  const likelihood = (first: number) =>
    log(onlyFirst, first) +
    log(onlySecond, first + delta) +
    log(n - onlyFirst - onlySecond, 1 - 2 * first - delta);
  let [low, high] = [Math.max(0, -delta), (1 - delta) / 2];
  // Ternary search: the likelihood is concave.
  for (let i = 0; i < 200; i++) {
    const [x, y] = [low + (high - low) / 3, high - (high - low) / 3];
    if (likelihood(x) < likelihood(y)) low = x;
    else high = y;
  }
  const first = (low + high) / 2;
  return (onlySecond - onlyFirst - n * delta) / Math.sqrt(n * (2 * first + delta - delta * delta));
}

describe("tangoInterval", () => {
  it("tangoInterval agrees with an inversion of the score test by brute force", () => {
    for (const [onlyFirst, onlySecond, n] of [
      [1, 7, 21],
      [0, 4, 9],
      [3, 3, 10],
      [12, 2, 50],
    ] as const) {
      const ends = tangoInterval({ onlyFirst, onlySecond, n });
      for (const [i, end] of ends.entries()) {
        const statistic = scoreStatistic({ onlyFirst, onlySecond, n }, end);
        expect(statistic).toBeCloseTo(i === 0 ? 1.959964 : -1.959964, 4);
      }
    }
  });

  it("tangoInterval has the published ends for airway hyper-responsiveness before and after a transplantation", () => {
    // Bentur et al. 2009; the interval is that of Fagerland, Lydersen and Laake 2014, Statistics in Medicine 33.
    const [low, high] = tangoInterval({ onlyFirst: 7, onlySecond: 1, n: 21 });
    expect(low).toBeCloseTo(-0.517, 3);
    expect(high).toBeCloseTo(-0.026, 3);
  });

  it("tangoInterval lies within [-1, 1], contains the difference and has a width", () => {
    fc.assert(
      fc.property(pairs, ({ onlyFirst, onlySecond, n }) => {
        const [low, high] = tangoInterval({ onlyFirst, onlySecond, n });
        const difference = (onlySecond - onlyFirst) / n;
        expect(low).toBeGreaterThanOrEqual(-1);
        expect(high).toBeLessThanOrEqual(1);
        expect(low).toBeLessThanOrEqual(difference);
        expect(high).toBeGreaterThanOrEqual(difference);
        expect(high - low).toBeGreaterThan(0.01);
      }),
    );
  });

  it("tangoInterval excludes 0 exactly where the McNemar score test has p < 0.05", () => {
    fc.assert(
      fc.property(pairs, (outcomes) => {
        const [low, high] = tangoInterval(outcomes);
        expect(low > 0 || high < 0).toBe(mcnemarScore(outcomes) < 0.05);
      }),
    );
  });

  it("tangoInterval gives the mirrored interval when the runs are swapped", () => {
    fc.assert(
      fc.property(pairs, ({ onlyFirst, onlySecond, n }) => {
        const [low, high] = tangoInterval({ onlyFirst, onlySecond, n });
        const back = tangoInterval({ onlyFirst: onlySecond, onlySecond: onlyFirst, n });
        expect(back[0]).toBeCloseTo(-high, 10);
        expect(back[1]).toBeCloseTo(-low, 10);
      }),
    );
  });

  it("tangoInterval has a width for five of five pairs that all differ the same way", () => {
    const [low, high] = tangoInterval({ onlyFirst: 0, onlySecond: 5, n: 5 });
    expect(low).toBeCloseTo(0.131, 3);
    expect(high).toBe(1);
  });
});

describe("mcnemarScore", () => {
  it("mcnemarScore finds no difference without discordant pairs, and where they are balanced", () => {
    expect(mcnemarScore({ onlyFirst: 0, onlySecond: 0, n: 5 })).toBe(1);
    expect(mcnemarScore({ onlyFirst: 4, onlySecond: 4, n: 9 })).toBe(1);
  });
});
