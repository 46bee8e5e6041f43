import { describe, expect, it } from "vitest";
import { bootstrapMean } from "./bootstrap.js";
import { pairedBootstrap } from "./paired-bootstrap.js";

describe("pairedBootstrap", () => {
  it("is the bootstrap of second minus first", () => {
    const interval = pairedBootstrap([1, 2, 3, 4], [3, 3, 3, 8], { seed: 6 });
    expect(interval).toEqual(bootstrapMean([2, 1, 0, 4], { seed: 6 }));
    expect(interval?.[0]).toBeGreaterThan(0);
  });

  it("turns its sign with the order of the runs", () => {
    const [low, high] = pairedBootstrap([1, 2, 3, 4], [3, 3, 3, 8], { seed: 6 }) ?? [0, 0];
    const [lowBack, highBack] = pairedBootstrap([3, 3, 3, 8], [1, 2, 3, 4], { seed: 6 }) ?? [0, 0];
    expect(lowBack).toBeCloseTo(-high, 12);
    expect(highBack).toBeCloseTo(-low, 12);
  });

  it("sees a small steady gain through large differences between episodes", () => {
    const first = Array.from({ length: 40 }, (_, i) => 100 * (i % 7));
    const second = first.map((value, i) => value + 0.5 + 0.1 * (i % 3));
    const [low, high] = pairedBootstrap(first, second, { seed: 1 }) ?? [0, 0];
    expect(low).toBeGreaterThan(0.5);
    expect(high).toBeLessThan(0.7);
  });

  it("has nothing to say about no pairs, and refuses episodes without a partner", () => {
    expect(pairedBootstrap([], [], { seed: 1 })).toBeNull();
    expect(() => pairedBootstrap([1], [1, 2], { seed: 1 })).toThrow(
      "1 values of the first run but 2 of the second",
    );
  });
});
