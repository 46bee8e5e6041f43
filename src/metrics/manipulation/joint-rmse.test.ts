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
  it("joint_rmse is 0 for the demonstration itself", () => {
    const qpos = [
      [0, 1],
      [0.5, 2],
      [1, 0],
    ];
    expect(rmse(moving(...qpos), qpos)).toBe(0);
  });

  it("joint_rmse is the root of the mean square over points and joints", () => {
    const reference = [
      [0, 0],
      [0, 0],
    ];
    expect(rmse(moving([3, 1], [1, 1]), reference)).toBeCloseTo(Math.sqrt(12 / 4), 12);
  });

  it("joint_rmse is 0 for the same movement sampled at another rate", () => {
    const reference = [[0], [0.25], [0.5], [0.75], [1]];
    expect(rmse(moving([0], [1]), reference)).toBeCloseTo(0, 12);
    expect(rmse(moving([0], [0.5], [1]), reference)).toBeCloseTo(0, 12);
    const fine = Array.from({ length: 41 }, (_, i) => [i / 40]);
    expect(rmse(moving(...fine), reference)).toBeCloseTo(0, 12);
  });

  it("joint_rmse is above 0 for a robot that never moves, even with a single record", () => {
    expect(rmse(moving([0]), [[0], [2]])).toBeCloseTo(Math.sqrt(2), 12);
    expect(rmse(moving([0], [0], [0]), [[0], [2]])).toBeCloseTo(Math.sqrt(2), 12);
  });

  it("joint_rmse compares a reference of one point with the first record", () => {
    expect(rmse(moving([1], [5]), [[1]])).toBe(0);
  });

  it("joint_rmse is null without a reference trajectory or without records", () => {
    expect(measure(new JointRmse(), moving([0]))).toBeNull();
    expect(rmse(moving([0]), [])).toBeNull();
    expect(rmse([], [[0]])).toBeNull();
  });

  it("joint_rmse rejects a number of joints that differs from the reference, naming both", () => {
    const wrong = () => rmse(moving([0, 0, 0]), [[0, 0]]);
    expect(wrong).toThrow(DataError);
    expect(wrong).toThrow(/expected 2 joints as in the first reference point, got 3/);
    expect(() => rmse([], [[0, 0], [0]])).toThrow(/expected 2 joints .*, got 1/);
  });
});
