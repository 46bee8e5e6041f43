import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeEpisode, measure, type Step } from "../../../test/support/nav-task.js";
import { ConfigError } from "../../core/errors.js";
import { TrajectorySimilarity } from "./trajectory-similarity.js";

const demonstration = [0, 0.1, 0.2, 0.3].map((x) => [x, 0, 0.5, 1, 0, 0, 0]);
const episode = makeEpisode({ referenceData: { trajectory: { ee_pose: demonstration } } });
const moving = (...poses: readonly (readonly number[])[]): Step[] =>
  poses.map((ee_pose) => ({ state: { ee_pose } }));
const beside = demonstration.map(([x = 0]) => [x, 0.05, 0.5]);

describe("trajectory_similarity", () => {
  it("trajectory_similarity is 1 for the demonstration itself, with or without pauses", () => {
    const steps = moving(...demonstration.flatMap((pose) => [pose, pose]));
    expect(measure(new TrajectorySimilarity(), steps, { episode })).toBe(1);
  });

  it("trajectory_similarity is 1/e when the mean deviation equals the scale, which is 5 cm by default", () => {
    const value = measure(new TrajectorySimilarity(), moving(...beside), { episode });
    expect(value).toBeCloseTo(Math.exp(-1), 12);
    const wider = measure(new TrajectorySimilarity({ scale: 0.1 }), moving(...beside), { episode });
    expect(wider).toBeCloseTo(Math.exp(-0.5), 12);
  });

  it("trajectory_similarity does not count a repeated position twice", () => {
    const waiting = beside.flatMap((pose) => [pose, pose, pose]);
    const value = measure(new TrajectorySimilarity(), moving(...waiting), { episode });
    expect(value).toBeCloseTo(Math.exp(-1), 12);
  });

  it("trajectory_similarity is null without a reference trajectory", () => {
    expect(measure(new TrajectorySimilarity(), moving([0, 0, 0]))).toBeNull();
    const noPoses = makeEpisode({ referenceData: { trajectory: { qpos: [[0]] } } });
    expect(measure(new TrajectorySimilarity(), moving([0, 0, 0]), { episode: noPoses })).toBeNull();
  });

  it.each([0, -1, "5cm", Number.NaN, Number.POSITIVE_INFINITY])(
    "trajectory_similarity rejects the scale %o",
    (scale) => {
      expect(() => new TrajectorySimilarity({ scale })).toThrow(ConfigError);
    },
  );

  it("trajectory_similarity lies in [0, 1]", () => {
    const coordinate = fc.double({ min: -1, max: 1, noNaN: true });
    const poses = fc.array(fc.tuple(coordinate, coordinate, coordinate), { minLength: 1 });
    fc.assert(
      fc.property(poses, (path) => {
        const value = measure(new TrajectorySimilarity(), moving(...path), { episode });
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
      }),
    );
  });
});
