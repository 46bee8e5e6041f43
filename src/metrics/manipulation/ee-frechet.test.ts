import { describe, expect, it } from "vitest";
import { makeEpisode, measure, type Step } from "../../../test/support/nav-task.js";
import { EeFrechet } from "./ee-frechet.js";

const demonstration = [0, 0.1, 0.2, 0.3].map((x) => [x, 0, 0.5, 1, 0, 0, 0]);
const episode = makeEpisode({ referenceData: { trajectory: { ee_pose: demonstration } } });
const moving = (...poses: readonly (readonly number[])[]): Step[] =>
  poses.map((ee_pose) => ({ state: { ee_pose } }));
const frechet = (steps: readonly Step[]) => measure(new EeFrechet(), steps, { episode });

describe("ee_frechet", () => {
  it("ee_frechet is 0 for the demonstration itself, with or without pauses", () => {
    expect(frechet(moving(...demonstration))).toBe(0);
    expect(frechet(moving(...demonstration.flatMap((pose) => [pose, pose])))).toBe(0);
  });

  it("ee_frechet reports the worst deviation, not the sum", () => {
    const bumped = demonstration.map(([x], i) => [x ?? 0, i === 2 ? 0.04 : 0, 0.5]);
    expect(frechet(moving(...bumped))).toBeCloseTo(0.04, 12);
  });

  it("ee_frechet ignores orientation", () => {
    expect(frechet(moving(...demonstration.map((pose) => pose.slice(0, 3))))).toBe(0);
  });

  it("ee_frechet is the distance to the farthest reference point when the end effector never moves", () => {
    expect(frechet(moving([0, 0, 0.5]))).toBeCloseTo(0.3, 12);
  });

  it("ee_frechet is null without a reference trajectory", () => {
    expect(measure(new EeFrechet(), moving([0, 0, 0]))).toBeNull();
    const empty = makeEpisode({ referenceData: { trajectory: { ee_pose: [] } } });
    expect(measure(new EeFrechet(), moving([0, 0, 0]), { episode: empty })).toBeNull();
  });

  it("ee_frechet rejects a pose without x, y and z, in the records and in the reference", () => {
    expect(() => frechet(moving([0, 1]))).toThrow(/must begin with x, y, z, got \[0,1\]/);
    const broken = makeEpisode({ referenceData: { trajectory: { ee_pose: [[0]] } } });
    expect(() => measure(new EeFrechet(), [], { episode: broken })).toThrow(/begin with x, y, z/);
  });
});
