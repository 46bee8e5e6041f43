import { describe, expect, it } from "vitest";
import { roundingNoise } from "./rounding-noise.js";

describe("rounding noise", () => {
  const state = () => [Float64Array.of(0, 1, -1e3), Float64Array.of(0.5, 0)] as const;

  it("rounding noise changes every position and velocity by at most 1e-15, or by that share of a larger one", () => {
    const [qpos, qvel] = state();
    roundingNoise(1)(qpos, qvel);
    const [before, speeds] = state();
    const moves = [...qpos].map((value, i) => Math.abs(value - (before[i] ?? 0)));
    for (const [i, move] of moves.entries()) {
      expect(move).toBeGreaterThan(0);
      expect(move).toBeLessThanOrEqual(1.2e-15 * Math.max(1, Math.abs(before[i] ?? 0)));
    }
    expect([...qvel]).not.toEqual([...speeds]);
  });

  it("rounding noise is the same for a seed and differs between seeds and steps", () => {
    const disturbed = (seed: number, steps: number) => {
      const [qpos, qvel] = state();
      const noise = roundingNoise(seed);
      for (let i = 0; i < steps; i++) noise(qpos, qvel);
      return [...qpos, ...qvel];
    };
    expect(disturbed(1, 2)).toEqual(disturbed(1, 2));
    expect(disturbed(1, 2)).not.toEqual(disturbed(2, 2));
    expect(disturbed(1, 2)).not.toEqual(disturbed(1, 1));
  });
});
