import { describe, expect, it } from "vitest";
import {
  crossingProbability,
  decisionThreshold,
  exceeds,
  logCapital,
  logEvidence,
  lowerDifference,
} from "./discordant-pairs.js";

/** Over all sequences of coin tosses, the share in which the evidence reaches the threshold. */
function crossingByEnumeration(tosses: number, threshold: number): number {
  let crossed = 0;
  for (let path = 0; path < 2 ** tosses; path++) {
    let [x, y] = [0, 0];
    for (let i = 0; i < tosses; i++) {
      if ((path >> i) & 1) x++;
      else y++;
      if (logEvidence(x, y) < threshold) continue;
      crossed++;
      break;
    }
  }
  return crossed / 2 ** tosses;
}

describe("the evidence of discordant pairs", () => {
  it("the evidence of discordant pairs is a martingale of a fair coin that starts at 1", () => {
    expect(logEvidence(0, 0)).toBe(0);
    for (const [x, y] of [
      [1, 0],
      [3, 5],
      [40, 2],
    ] as const) {
      const after = (Math.exp(logEvidence(x + 1, y)) + Math.exp(logEvidence(x, y + 1))) / 2;
      expect(Math.log(after)).toBeCloseTo(logEvidence(x, y), 10);
    }
  });

  it("the evidence of discordant pairs is the product of predictive odds when one policy solved all pairs, whichever it is", () => {
    // The chance that toss i + 1 is like the i tosses before it is (3/4 + i) / (3/2 + i), against 1/2.
    let product = 1;
    for (let i = 0; i < 7; i++) product *= (2 * (0.75 + i)) / (1.5 + i);
    expect(Math.exp(logEvidence(0, 7))).toBeCloseTo(product, 10);
    expect(logEvidence(7, 0)).toBe(logEvidence(0, 7));
  });
});

describe("the probability of ever reaching a threshold", () => {
  it("the probability of ever reaching a threshold agrees with the enumeration of all coin sequences", () => {
    for (const tosses of [1, 6, 7, 12]) {
      for (const threshold of [0.2, 1, 1.7, 2.3]) {
        const expected = crossingByEnumeration(tosses, threshold);
        expect(crossingProbability(tosses, threshold)).toBeCloseTo(expected, 12);
      }
    }
  });

  it("the probability of ever reaching a threshold is at most the level at the decision threshold, and more just below it", () => {
    for (const [pairs, alpha] of [
      [10, 0.05],
      [100, 0.05],
      [500, 0.05],
      [500, 0.01],
    ] as const) {
      const threshold = decisionThreshold(pairs, alpha);
      expect(crossingProbability(pairs, threshold)).toBeLessThanOrEqual(alpha);
      expect(crossingProbability(pairs, threshold - 1e-3)).toBeGreaterThan(alpha);
      expect(threshold).toBeLessThan(-Math.log(alpha));
    }
    expect(Math.exp(decisionThreshold(500, 0.05))).toBeCloseTo(14.74, 2);
  });

  it("the probability of ever reaching a threshold uses the threshold of Ville for more pairs than the recursion is made for", () => {
    expect(decisionThreshold(1e6, 0.05)).toBe(Math.log(20));
  });
});

describe("betting on the difference", () => {
  it("betting on the difference is fair at its candidate difference, for any share of equal pairs", () => {
    for (const [m, psi] of [
      [0, 0.4],
      [-0.1, 0.3],
      [0.25, 0.6],
    ] as const) {
      const [onlyA, onlyB] = [(psi - m) / 2, (psi + m) / 2];
      const start = { onlyA: 3, onlyB: 8, equal: 20 };
      const after =
        onlyA * Math.exp(logCapital({ ...start, onlyA: 4 }, m)) +
        onlyB * Math.exp(logCapital({ ...start, onlyB: 9 }, m)) +
        (1 - psi) * Math.exp(logCapital({ ...start, equal: 21 }, m));
      // Each bet has its own capital, so the mean over bets is fair too.
      expect(after).toBeCloseTo(Math.exp(logCapital(start, m)), 10);
    }
  });

  it("betting on the difference is lower for a larger difference, so that the ends of an interval are found by bisection", () => {
    const counts = { onlyA: 4, onlyB: 15, equal: 40 };
    const capitals = [-0.9, -0.5, -0.1, 0, 0.1, 0.5].map((m) => logCapital(counts, m));
    expect([...capitals].sort((a, b) => b - a)).toEqual(capitals);
    const low = lowerDifference(counts, 0.025);
    expect(exceeds(counts, low - 1e-6, 0.025)).toBe(true);
    expect(exceeds(counts, low + 1e-6, 0.025)).toBe(false);
  });

  it("betting on the difference has the lower end -1 without pairs", () => {
    expect(lowerDifference({ onlyA: 0, onlyB: 0, equal: 0 }, 0.025)).toBe(-1);
  });
});
