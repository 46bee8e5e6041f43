import { describe, expect, it } from "vitest";
import { Random } from "../core/math/random.js";
import { PairedSequence, type PairedVerdict } from "./paired-sequence.js";

const rate = (maximum = 200, margin?: number) =>
  new PairedSequence({ kind: "rate", maximum, margin });
const bounded = (margin?: number) => new PairedSequence({ kind: "bounded", maximum: 200, margin });

function fill(sequence: PairedSequence, onlyA: number, onlyB: number, equal: number) {
  for (let i = 0; i < onlyA; i++) sequence.add(1, 0);
  for (let i = 0; i < onlyB; i++) sequence.add(0, 1);
  for (let i = 0; i < equal; i++) sequence.add(1, 1);
  return sequence;
}

/** The first verdict of up to `maximum` pairs from `draw`. */
function decide(sequence: PairedSequence, draw: () => readonly [number, number], maximum: number) {
  for (let n = 1; n <= maximum; n++) {
    sequence.add(...draw());
    const verdict = sequence.verdict(0.05);
    if (verdict) return { verdict, n };
  }
  return { verdict: undefined, n: maximum };
}

describe("a paired sequence of outcomes", () => {
  it("a paired sequence of outcomes decides nothing before the first pair and has the interval [-1, 1]", () => {
    expect(rate().verdict(0.05)).toBeUndefined();
    expect(rate().means).toBeNull();
    expect(rate().interval(0.05)).toEqual([-1, 1]);
  });

  it("a paired sequence of outcomes decides after seven discordant pairs for one policy, not after six", () => {
    expect(fill(rate(), 0, 6, 30).verdict(0.05)).toBeUndefined();
    expect(fill(rate(), 0, 7, 30).verdict(0.05)).toBe("b");
    expect(fill(rate(), 7, 0, 30).verdict(0.05)).toBe("a");
  });

  it("a paired sequence of outcomes has an interval that contains the difference, and excludes 0 where it is decided", () => {
    const sequence = fill(rate(), 0, 7, 30);
    const [low, high] = sequence.interval(0.05);
    expect(low).toBeGreaterThanOrEqual(0);
    expect(low).toBeLessThan(7 / 37);
    expect(high).toBeGreaterThan(7 / 37);
    const [undecidedLow] = fill(rate(), 0, 6, 30).interval(0.05);
    expect(undecidedLow).toBeLessThan(0);
  });

  it("a paired sequence of outcomes gives mirrored verdicts and intervals when the policies are swapped", () => {
    const [low, high] = fill(rate(), 3, 12, 40).interval(0.05);
    const [swappedLow, swappedHigh] = fill(rate(), 12, 3, 40).interval(0.05);
    expect(swappedLow).toBeCloseTo(-high, 8);
    expect(swappedHigh).toBeCloseTo(-low, 8);
  });

  it("a paired sequence of outcomes is equivalent once the interval lies within the margin", () => {
    const sequence = fill(rate(1000, 0.1), 5, 5, 300);
    const [low, high] = sequence.interval(0.05);
    expect([low > -0.1, high < 0.1]).toEqual([true, true]);
    expect(sequence.verdict(0.05)).toBe("equivalent");
    expect(fill(rate(1000, 0.01), 5, 5, 300).verdict(0.05)).toBeUndefined();
    expect(fill(rate(1000), 5, 5, 300).verdict(0.05)).toBeUndefined();
  });

  it("a paired sequence of outcomes decides later with a smaller error", () => {
    expect(fill(rate(), 0, 7, 0).verdict(0.01)).toBeUndefined();
    expect(fill(rate(), 0, 11, 0).verdict(0.01)).toBe("b");
  });

  it("a paired sequence of outcomes turns into a bounded sequence at a value between 0 and 1, with equal results", () => {
    const [mixed, whole] = [rate(), bounded()];
    const random = new Random(3);
    for (let i = 0; i < 60; i++) {
      const pair = [random.below(2), i > 20 ? 0.8 : 1] as const;
      mixed.add(...pair);
      whole.add(...pair);
    }
    expect(mixed.interval(0.05)).toEqual(whole.interval(0.05));
    expect(mixed.verdict(0.05)).toBe(whole.verdict(0.05));
  });

  it("a paired sequence of outcomes rejects values outside [0, 1] and margins outside (0, 1)", () => {
    expect(() => rate().add(1, 1.5)).toThrow("a value of pair 0 is 1.5");
    for (const margin of [0, 1, -0.1, Number.NaN]) {
      expect(() => rate(200, margin)).toThrow("the margin is");
    }
  });
});

describe("a paired sequence of values between 0 and 1", () => {
  it("a paired sequence of values between 0 and 1 decides for the policy with the larger values, and not between equal ones", () => {
    const random = new Random(5);
    const draw = (shift: number) => () => {
      const base = 0.35 + 0.3 * random.uniform();
      return [base, base + shift + 0.1 * random.uniform()] as const;
    };
    expect(decide(bounded(), draw(0.15), 200).verdict).toBe("b");
    expect(decide(bounded(), draw(-0.25), 200).verdict).toBe("a");
    expect(decide(bounded(), draw(-0.05), 200).verdict).toBeUndefined();
    expect(decide(bounded(0.1), draw(-0.05), 200).verdict).toBe("equivalent");
  });
});

describe("a paired sequence that is looked at after every pair", () => {
  const RUNS = 600;
  /** Verdicts of simulated comparisons, with the probability that only A and only B succeeds. */
  function verdicts(onlyA: number, onlyB: number, maximum: number, margin?: number) {
    const counts = new Map<PairedVerdict | undefined, number>();
    for (let seed = 0; seed < RUNS; seed++) {
      const random = new Random(seed);
      const draw = () => {
        const u = random.uniform();
        return u < onlyA
          ? ([1, 0] as const)
          : u < onlyA + onlyB
            ? ([0, 1] as const)
            : ([1, 1] as const);
      };
      const { verdict } = decide(rate(maximum, margin), draw, maximum);
      counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    }
    return (verdict: PairedVerdict | undefined) => (counts.get(verdict) ?? 0) / RUNS;
  }

  it("a paired sequence that is looked at after every pair names a better policy in at most 5 % of comparisons of equal ones", () => {
    const share = verdicts(0.2, 0.2, 300);
    expect(share("a") + share("b")).toBeLessThan(0.05 + 0.02);
    expect(share("a") + share("b")).toBeGreaterThan(0.01);
  });

  it("a paired sequence that is looked at after every pair finds a difference of 0.2 in most comparisons and never prefers the worse policy in 1 %", () => {
    const share = verdicts(0.06, 0.26, 300);
    expect(share("b")).toBeGreaterThan(0.99);
    expect(share("a")).toBeLessThan(0.01);
  });

  it("a paired sequence that is looked at after every pair calls policies equivalent whose difference is beyond the margin in at most 5 %", () => {
    const share = verdicts(0.15, 0.25, 500, 0.1);
    expect(share("equivalent")).toBeLessThan(0.05);
  });
});
