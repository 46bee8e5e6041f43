import { describe, expect, it } from "vitest";
import { problemsOf, soundEpisode } from "../../../../test/support/lint-rule.js";
import { headingToQuatXyzw } from "../../../core/math/rotation.js";
import { groundTruthHeading } from "./ground-truth-heading.js";

/** The ground truth turns left by 90° and moves along -x, which is correct for a start facing -z. */
const facing = (degrees: number, more: Readonly<Record<string, unknown>> = {}) =>
  soundEpisode({
    startState: { position: [0, 0, 0], rotation: headingToQuatXyzw((degrees * Math.PI) / 180) },
    referenceData: {
      dense_path: [
        [0, 0, 0],
        [-0.25, 0, 0],
        [-0.5, 0, 0],
      ],
    },
    taskConfig: {
      gt_actions: [...new Array<string>(6).fill("turn_left"), "move_forward", "stop"],
      ...more,
    },
  });
const times = (n: number, degrees: number) => Array.from({ length: n }, () => facing(degrees));

describe("ground_truth_heading", () => {
  it("ground_truth_heading finds actions that do not follow the path", () => {
    expect(problemsOf(groundTruthHeading(), times(6, 100))).toMatchObject([
      {
        field: "start_state.rotation",
        message: expect.stringContaining("in 6 of 6 episodes"),
      },
    ]);
  });

  it("ground_truth_heading accepts matching actions, except a few that slide along walls", () => {
    expect(problemsOf(groundTruthHeading(), [...times(60, 0), ...times(5, 60)])).toEqual([]);
  });

  it("ground_truth_heading uses the RxR turn angle of 30°", () => {
    const format = { name: "rxr-vlnce", profile: "vlnce" };
    const three = { gt_actions: ["turn_left", "turn_left", "turn_left", "move_forward"] };
    const episodes = Array.from({ length: 6 }, () => facing(0, three));
    expect(problemsOf(groundTruthHeading(), episodes, { format })).toEqual([]);
  });

  it("ground_truth_heading reports nothing without ground truth", () => {
    expect(problemsOf(groundTruthHeading(), soundEpisode())).toEqual([]);
  });
});
