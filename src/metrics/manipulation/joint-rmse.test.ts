import { describe, expect, it } from "vitest";
import { makeEpisode, measure, type Step } from "../../../test/support/nav-task.js";
import { DataError } from "../../core/errors.js";
import { JointRmse } from "./joint-rmse.js";

const moving = (...positions: readonly (readonly number[])[]): Step[] =>
  positions.map((qpos) => ({ state: { qpos } }));
const rmse = (steps: readonly Step[], qpos: number[][]) =>
  measure(new JointRmse(), steps, {
    episode: makeEpisode({ referenceData: { trajectory: { qpos } } }),
  });

describe("joint_rmse", () => {
  it("is 0 for the demonstration itself", () => {
    const qpos = [
      [0, 1],
      [0.5, 2],
      [1, 0],
    ];
    expect(rmse(moving(...qpos), qpos)).toBe(0);
  });

  it("is the root of the mean square over points and joints", () => {
    const reference = [
      [0, 0],
      [0, 0],
    ];
    expect(rmse(moving([3, 1], [1, 1]), reference)).toBeCloseTo(Math.sqrt(12 / 4), 12);
  });

  it("compares the same movement at another rate as equal", () => {
    const reference = [[0], [0.25], [0.5], [0.75], [1]];
    expect(rmse(moving([0], [1]), reference)).toBeCloseTo(0, 12);
    expect(rmse(moving([0], [0.5], [1]), reference)).toBeCloseTo(0, 12);
    const fine = Array.from({ length: 41 }, (_, i) => [i / 40]);
    expect(rmse(moving(...fine), reference)).toBeCloseTo(0, 12);
  });

  it("sees a robot that never moves, even with one record only", () => {
    expect(rmse(moving([0]), [[0], [2]])).toBeCloseTo(Math.sqrt(2), 12);
    expect(rmse(moving([0], [0], [0]), [[0], [2]])).toBeCloseTo(Math.sqrt(2), 12);
  });

  it("compares a reference of one point with the first record", () => {
    expect(rmse(moving([1], [5]), [[1]])).toBe(0);
  });

  it("has no value without a reference trajectory", () => {
    expect(measure(new JointRmse(), moving([0]))).toBeNull();
    expect(rmse(moving([0]), [])).toBeNull();
    expect(rmse([], [[0]])).toBeNull();
  });

  it("refuses another number of joints, naming both", () => {
    const wrong = () => rmse(moving([0, 0, 0]), [[0, 0]]);
    expect(wrong).toThrow(DataError);
    expect(wrong).toThrow(/2 joints, but here are 3/);
    expect(() => rmse([], [[0, 0], [0]])).toThrow(/2 joints, but here are 1/);
  });
});
