import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MetricSummary } from "../../core/interfaces/result.js";
import { pool } from "./pooling.js";

function part(mean: number, ci95: readonly [number, number] | null, count = 10): MetricSummary {
  return {
    mean,
    std: 0.1,
    min: 0,
    max: 1,
    count,
    ci95,
    ci_method: ci95 ? "wilson" : "none",
    n_invalid: 0,
    unit: "1",
    direction: "higher",
  };
}

function pooled(...parts: readonly MetricSummary[]): MetricSummary {
  const { success } = pool(parts.map((success) => ({ success })));
  if (!success) throw new Error("nothing was pooled");
  return success;
}

/** A mean with an interval around it. */
const parts = fc
  .tuple(
    fc.double({ min: -5, max: 5, noNaN: true }),
    fc.double({ min: 0, max: 3, noNaN: true }),
    fc.double({ min: 0, max: 3, noNaN: true }),
  )
  .map(([mean, below, above]) => part(mean, [mean - below, mean + above]));

describe("the interval pooled over several tasks", () => {
  it("the pooled interval matches a calculation by hand", () => {
    const { mean, ci95 } = pooled(part(0.5, [0.3, 0.8]), part(0.7, [0.6, 0.9]));
    expect(mean).toBeCloseTo(0.6, 15);
    expect(ci95?.[0]).toBeCloseTo(0.6 - Math.sqrt(0.2 ** 2 + 0.1 ** 2) / 2, 15);
    expect(ci95?.[1]).toBeCloseTo(0.6 + Math.sqrt(0.3 ** 2 + 0.2 ** 2) / 2, 15);
  });

  it("the pooled interval contains the mean and lies within the averaged intervals of the tasks", () => {
    fc.assert(
      fc.property(fc.array(parts, { minLength: 2, maxLength: 6 }), (several) => {
        const { mean, ci95 } = pooled(...several);
        const average = (end: 0 | 1) =>
          several.reduce((sum, one) => sum + (one.ci95?.[end] ?? 0), 0) / several.length;
        expect(ci95?.[0]).toBeLessThanOrEqual(mean ?? Number.NaN);
        expect(ci95?.[1]).toBeGreaterThanOrEqual(mean ?? Number.NaN);
        expect(ci95?.[0]).toBeGreaterThanOrEqual(average(0) - 1e-9);
        expect(ci95?.[1]).toBeLessThanOrEqual(average(1) + 1e-9);
      }),
    );
  });

  it("the pooled interval narrows with the square root of the number of equal tasks", () => {
    const { ci95 } = pooled(...Array.from({ length: 4 }, () => part(0.5, [0.3, 0.7])));
    expect(ci95?.[0]).toBeCloseTo(0.4, 15);
    expect(ci95?.[1]).toBeCloseTo(0.6, 15);
  });

  it("the pooled interval of a single task equals that of the task", () => {
    const only = part(0.5, [0.3, 0.8]);
    expect(pooled(only)).toBe(only);
  });

  it("the pooled interval equals that of the only task with episodes", () => {
    const empty: MetricSummary = {
      ...part(0, null, 0),
      mean: null,
      std: null,
      min: null,
      max: null,
    };
    const { ci95, mean } = pooled(part(0.5, [0.25, 0.75]), empty);
    expect(mean).toBe(0.5);
    expect(ci95).toEqual([0.25, 0.75]);
  });

  it("the pooled interval is null if a task has no interval", () => {
    expect(pooled(part(0.5, [0.3, 0.7]), part(1, null, 1))).toMatchObject({
      mean: 0.75,
      ci95: null,
      ci_method: "none",
    });
  });
});

it("the pooled mean is null when no task has episodes", () => {
  const empty: MetricSummary = { ...part(0, null, 0), mean: null, std: null, min: null, max: null };
  expect(pooled(empty, { ...empty, n_invalid: 3 })).toMatchObject({
    mean: null,
    std: null,
    min: null,
    max: null,
    count: 0,
    n_invalid: 3,
  });
});

it("a metric that only one task has is pooled unchanged", () => {
  const cls = part(0.4, [0.1, 0.6]);
  const table = pool([{ success: part(0.5, null), cls }, { success: part(0.7, null) }]);
  expect(table.cls).toBe(cls);
  expect(table.success?.pooling).toBe("macro");
});
