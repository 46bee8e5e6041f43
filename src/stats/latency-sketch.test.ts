import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LatencyAggregate, latencySketch } from "./latency-sketch.js";
import { quantileSorted } from "./quantile.js";

const latencies = fc.array(fc.double({ min: 0.01, max: 1e6, noNaN: true }), { minLength: 1 });

function aggregated(...parts: readonly (readonly number[])[]) {
  const aggregate = new LatencyAggregate();
  for (const part of parts) aggregate.add(latencySketch(Float64Array.from(part).sort()));
  return aggregate.summary();
}

describe("LatencyAggregate", () => {
  it("LatencyAggregate gives the same percentiles however the latencies are split into sketches", () => {
    fc.assert(
      fc.property(latencies, latencies, (a, b) => {
        expect(aggregated(a, b)).toEqual(aggregated([...a, ...b]));
      }),
    );
  });

  it("LatencyAggregate gives percentiles within 2 % of the exact ones", () => {
    fc.assert(
      fc.property(latencies, (values) => {
        const { p50 = 0, p95 = 0, p99 = 0, n } = aggregated(values) ?? {};
        expect(n).toBe(values.length);
        for (const [q, found] of [
          [0.5, p50],
          [0.95, p95],
          [0.99, p99],
        ] as const) {
          // The exact quantile interpolates between two values; the sketch takes the lower one.
          const ascending = Float64Array.from(values).sort();
          const below = ascending[Math.floor(q * (values.length - 1))] ?? 0;
          expect(Math.abs(found - below)).toBeLessThanOrEqual(0.0201 * below);
          expect(quantileSorted(ascending, q)).toBeGreaterThanOrEqual(below);
        }
      }),
    );
  });

  it("LatencyAggregate returns null when nothing was timed", () => {
    expect(new LatencyAggregate().summary()).toBeNull();
  });

  it("LatencyAggregate counts a latency of 0 as 0.001 ms", () => {
    expect(aggregated([0])?.p50).toBeCloseTo(0.001, 4);
  });
});
