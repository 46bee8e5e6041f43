import { describe, expect, it } from "vitest";
import type { BaseEpisode } from "../../../core/episode/base.js";
import { DataError } from "../../../core/errors.js";
import type { RobotDescriptor } from "../../../robots/descriptor.js";
import { PANDA } from "../../../robots/panda.js";
import { STRETCH } from "../../../robots/stretch.js";
import { STRETCH_RE1 } from "../../../robots/stretch-re1.js";
import { jointsOf, otherRobot } from "./joints-of.js";
import { episodeWith } from "./world-lab.fixture.js";

const made = (robot_type: string, joint_positions: number[]) =>
  episodeWith({ robot_config: { robot_type } }, { startState: { joint_positions } });

function errorOf(episode: BaseEpisode, robot: RobotDescriptor): string {
  try {
    jointsOf(episode, robot);
  } catch (error) {
    if (error instanceof DataError) return error.describe();
    throw error;
  }
  return "no error";
}

describe("joint positions of an episode made for another robot", () => {
  it("joint positions of an episode made for another robot are used if the task robot has the same degrees of freedom", () => {
    const joints = [0, 0, 0, 0.5, 0.1, 0, 0.04];
    expect(jointsOf(made("stretch", joints), STRETCH_RE1)).toEqual(joints);
    expect(otherRobot(made("stretch", joints), STRETCH_RE1)).toBe("stretch");
    expect(otherRobot(made("stretch", joints), STRETCH)).toBeUndefined();
  });

  it("joint positions of an episode made for another robot are rejected with both robots and the fix, even if their number and ranges fit by chance", () => {
    expect(errorOf(made("panda", Array(7).fill(0)), STRETCH)).toBe(
      "episode e1, start_state.joint_positions: the episode was made for the robot panda, but the benchmark configures stretch, which these joint positions do not fit\n" +
        "  hint: set robot_type: panda and dof: 8 in the task's config, or use episodes made for stretch",
    );
    expect(errorOf(made("panda", Array(8).fill(0)), STRETCH)).toContain(
      "do not fit (stretch has 7 degrees of freedom, got 8 numbers)",
    );
  });

  it("joint positions of an episode made for another robot are rejected with the way to add a robot that is not built in", () => {
    expect(errorOf(made("sawyer", [0, 0, 0]), PANDA)).toContain(
      "hint: use episodes made for panda, or add the robot sawyer with a plugin and set robot_type: sawyer",
    );
  });

  it("joint positions of an episode made for another robot are recognised by the robot_type of LeRobot and RoboVerse datasets", () => {
    const startState = { joint_positions: Array(9).fill(0) };
    expect(() => jointsOf(episodeWith({ robot_type: "franka" }, { startState }), PANDA)).toThrow(
      /made for the robot franka, but the benchmark configures panda/,
    );
  });
});

describe("joint positions of a recording", () => {
  it("joint positions of a recording may be past a limit as far as soft joint limits allow", () => {
    const home = [...(PANDA.model?.home ?? [])];
    const joints = [...home.slice(0, 7), 0.0403];
    expect(jointsOf(made("panda", joints), PANDA)).toEqual(joints);
    expect(() => jointsOf(made("panda", [...home.slice(0, 7), 0.05]), PANDA)).toThrow(
      "gripper of panda must be between 0 and 0.04, got 0.05",
    );
  });
});
