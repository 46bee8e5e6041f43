import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LatencyTally, latencySketch } from "./latency-sketch.js";
import { quantile } from "./quantile.js";

const latencies = fc.array(fc.double({ min: 0.01, max: 1e6, noNaN: true }), { minLength: 1 });

function tallied(...parts: readonly (readonly number[])[]) {
  const tally = new LatencyTally();
  for (const part of parts) tally.add(latencySketch(Float64Array.from(part).sort()));
  return tally.summary();
}

describe("the latencies of a run, from its episodes' sketches", () => {
  it("are those of all answers together, in whatever parts they came", () => {
    fc.assert(
      fc.property(latencies, latencies, (a, b) => {
        expect(tallied(a, b)).toEqual(tallied([...a, ...b]));
      }),
    );
  });

  it("are right to two per cent", () => {
    fc.assert(
      fc.property(latencies, (values) => {
        const { p50 = 0, p95 = 0, p99 = 0, n } = tallied(values) ?? {};
        expect(n).toBe(values.length);
        for (const [q, found] of [
          [0.5, p50],
          [0.95, p95],
          [0.99, p99],
        ] as const) {
          // Between two values the exact quantile is interpolated and the sketch takes the lower.
          const below = [...values].sort((x, y) => x - y)[Math.floor(q * (values.length - 1))] ?? 0;
          expect(Math.abs(found - below)).toBeLessThanOrEqual(0.0201 * below);
          expect(quantile(values, q)).toBeGreaterThanOrEqual(below);
        }
      }),
    );
  });

  it("are none where nothing was timed", () => {
    expect(new LatencyTally().summary()).toBeNull();
  });

  it("take an answer of no time at all for a thousandth of a millisecond", () => {
    expect(tallied([0])?.p50).toBeCloseTo(0.001, 4);
  });
});
