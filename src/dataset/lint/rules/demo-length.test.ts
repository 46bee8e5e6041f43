import { describe, expect, it } from "vitest";
import { problemsOf, soundEpisode } from "../../../../test/support/lint-rule.js";
import { demoLength } from "./demo-length.js";

const rows = (count: number, width = 2) =>
  Array.from({ length: count }, () => new Array<number>(width).fill(0));
const demo = (trajectory: Readonly<Record<string, number[][]>>) =>
  soundEpisode({ taskType: "pick_place", referenceData: { trajectory } });

describe("demo_length", () => {
  it.each([
    ["poses and joints", { qpos: rows(5), ee_pose: rows(4, 7) }, "ee_pose"],
    ["too few actions", { qpos: rows(5), actions: rows(3) }, "actions"],
    ["more actions than states", { ee_pose: rows(5, 7), actions: rows(6) }, "actions"],
    ["no steps", { actions: [] }, "actions"],
    ["a step of another width", { qpos: [...rows(2), [0]] }, "qpos[2]"],
  ])("demo_length finds inconsistent lengths: %s", (_, trajectory, name) => {
    const problems = problemsOf(demoLength, demo(trajectory));
    expect(problems).toMatchObject([{ field: `reference_data.trajectory.${name}` }]);
  });

  it("demo_length accepts as many actions as states, or one fewer", () => {
    expect(
      problemsOf(demoLength, [
        demo({ qpos: rows(5), ee_pose: rows(5, 7), actions: rows(5, 10) }),
        demo({ qpos: rows(5), actions: rows(4) }),
        demo({ actions: rows(3) }),
        soundEpisode(),
      ]),
    ).toEqual([]);
  });
});
