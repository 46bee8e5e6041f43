import { describe, expect, it } from "vitest";
import { compareRollout, type PlayedStep } from "./compare-rollout.js";

/** A path with two positions, by the difference of each from 0 at each step. */
function path(rows: readonly (readonly number[])[], flags: readonly boolean[] = []): PlayedStep[] {
  return rows.map((qpos, step) => ({
    quantities: { qpos, "end effector": [0, 0, 0], joint_vel: qpos.map((value) => 10 * value) },
    success: flags[step] ?? false,
  }));
}

const STILL = [
  [0, 0],
  [0, 0],
  [0, 0],
  [0, 0],
];

describe("the comparison of a rollout", () => {
  it("the comparison of a rollout allows an error of a hundred times what a nudge causes, for each number", () => {
    const nudged = [[0, 0], [0, 1e-7], [0, 1e-4], STILL[3] ?? []];
    const compare = (rows: number[][]) => compareRollout(path(rows), path(STILL), [path(nudged)]);
    const equal = compare([
      [0, 0],
      [0, 9e-6],
      [0, 9e-3],
      [0, 9e-3],
    ]);
    expect(equal).toMatchObject({
      ...{ compared_steps: 0, chaotic_steps: 3, compared_positions: 5 / 8, failure: null },
      ...{ max_qpos_error: 0, max_chaotic_qpos_error: 9e-3, sensitivity: 1e-4 },
    });
    expect(
      compare([
        [0, 0],
        [0, 2e-5],
        [0, 0],
        [0, 0],
      ]).failure,
    ).toMatchObject({
      ...{ step: 1, quantity: "qpos", error: 2e-5 },
    });
    expect(
      compare([
        [0, 0],
        [0, 0],
        [0, 0],
        [2e-6, 0],
      ]).failure,
    ).toMatchObject({ step: 3 });
  });

  it("the comparison of a rollout compares numbers with the tolerance where a nudge has no effect", () => {
    const { failure, max_observation_error } = compareRollout(
      path([
        [0, 0],
        [0, 0],
        [5e-7, 0],
        [0, 0],
      ]),
      path(STILL),
      [path(STILL)],
    );
    expect(max_observation_error).toBeCloseTo(5e-6, 12);
    expect(failure).toMatchObject({ step: 2, quantity: "joint_vel", allowed: 1e-6 });
  });

  it("the comparison of a rollout counts a number that is missing or not finite as an infinite error", () => {
    const infinite = { error: Number.POSITIVE_INFINITY };
    for (const rows of [
      [
        [0, 0],
        [0, Number.NaN],
      ],
      [[0, 0], [0]],
      [
        [0, 0],
        [0, 0, 0],
      ],
      [[0, 0]],
    ]) {
      const chaotic = [
        path([
          [0, 0],
          [1, 1],
        ]),
      ];
      expect(compareRollout(path(STILL.slice(2)), path(rows), chaotic).failure).toMatchObject(
        infinite,
      );
    }
  });

  it("the comparison of a rollout allows success to come a step earlier or later at chaotic steps only", () => {
    const [late, early] = [
      [false, false, false, true],
      [false, false, true, true],
    ];
    const nudged = path(
      [
        [0, 0],
        [1e-3, 0],
        [1e-3, 0],
        [1e-3, 0],
      ],
      early,
    );
    const compare = (flags: boolean[], others: PlayedStep[][]) =>
      compareRollout(path(STILL, flags), path(STILL, early), others);
    expect(compare(late, [nudged])).toMatchObject({ success_steps_different: 1, failure: null });
    expect(compare(late, [path(STILL)]).failure).toMatchObject({ step: 2, quantity: "success" });
    expect(compare([false, false, false, false], [nudged]).failure).toMatchObject({ step: 3 });
  });
});
