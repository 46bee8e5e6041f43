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
  it("the comparison of a rollout allows an error of ten times what rounding causes, for each number", () => {
    const disturbed = [[0, 0], [0, 1e-6], [0, 1e-4], STILL[3] ?? []];
    const compare = (rows: number[][]) =>
      compareRollout(path(rows), path(STILL), [path(disturbed)]);
    const equal = compare([
      [0, 0],
      [0, 9e-6],
      [5e-8, 9e-4],
      [0, 9e-4],
    ]);
    expect(equal).toMatchObject({
      ...{ compared_steps: 0, chaotic_steps: 3, compared_positions: 5 / 8, failure: null },
      ...{ max_qpos_error: 5e-8, max_chaotic_qpos_error: 9e-4, sensitivity: 1e-4 },
    });
    expect(
      compare([
        [0, 0],
        [0, 2e-5],
        [0, 0],
        [0, 0],
      ]).failure,
    ).toMatchObject({
      ...{ step: 1, quantity: "qpos", error: 2e-5, sensitivity: 1e-6 },
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

  it("the comparison of a rollout counts steps as compared that are equal although rounding moves them", () => {
    const disturbed = STILL.map(() => [1, 1]);
    const compared = compareRollout(path(STILL), path(STILL), [path(disturbed)]);
    expect(compared).toMatchObject({ compared_steps: 3, chaotic_steps: 0, failure: null });
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

  it("the comparison of a rollout allows another success flag only where rounding changes it or chaotic positions are near it", () => {
    const [late, early] = [
      [false, false, false, true],
      [false, false, true, true],
    ];
    const off = [
      [0, 0],
      [0, 0],
      [1e-3, 0],
      [1e-3, 0],
    ];
    const compare = (rows: number[][], flags: boolean[], others: PlayedStep[][]) =>
      compareRollout(path(rows, flags), path(STILL, early), others);
    const equal = { success_steps_different: 1, failure: null };
    const differs = { step: 2, quantity: "success" };
    expect(compare(STILL, late, []).failure).toMatchObject(differs);
    expect(compare(STILL, late, [path(STILL, early)]).failure).toMatchObject(differs);
    expect(compare(STILL, late, [path(STILL, late)])).toMatchObject(equal);
    expect(compare(off, late, [path(off, early)])).toMatchObject(equal);
    expect(compare(off, [true, false, true, true], [path(off, early)]).failure).toMatchObject({
      step: 0,
    });
  });
});
