import { describe, expect, it } from "vitest";
import { resolveTasks } from "../../src/evaluator/plan/resolve-tasks.js";
import { createRegistries, getTask, parseConfig } from "../../src/index.js";

type Limits = Readonly<Record<string, readonly [number, number]>>;

/** `StretchRobotConfig.joint_limits` of chapter 11.6. */
const DESIGN: Limits = {
  translate_x: [-0.5, 0.5],
  translate_y: [-0.5, 0.5],
  rotate_z: [-3.14, 3.14],
  joint_lift: [0.0, 1.1],
  joint_arm_l0: [-1.8, 1.8],
  joint_arm_l1: [-1.8, 1.8],
  joint_arm_l2: [-1.8, 1.8],
  joint_arm_l3: [-1.8, 1.8],
  joint_wrist_yaw: [-1.8, 1.8],
  joint_gripper_finger_left: [0.0, 0.04],
};

/** The range of the actions of a task, from code and from a benchmark. */
function ranges(joint_limits: Limits) {
  const fromCode = getTask("pick_place", { joint_limits }).actionSpace.range;
  const [fromFile] = resolved(joint_limits);
  expect(fromFile?.task.instance.actionSpace.range).toEqual(fromCode);
  return fromCode;
}

function resolved(joint_limits: Limits) {
  const document = {
    benchmark: { name: "limits" },
    pick_task: { type: "pick_place", config: { joint_limits } },
    dataset: { pick: { type: "pick_place", data_path: "none.json" } },
  };
  return resolveTasks(parseConfig(JSON.stringify(document)), createRegistries());
}

function errorOf(work: () => unknown): { message: string; code: string } {
  try {
    work();
  } catch (error) {
    if (error instanceof Error && "code" in error) {
      return { message: error.message.replace("pick_task.config.", ""), code: String(error.code) };
    }
  }
  throw new Error("no error was thrown");
}

describe("the design's joint_limits", () => {
  it("the joint_limits of the design limit the seven degrees of freedom by its ten joint names, within what the robot can do", () => {
    expect(ranges(DESIGN)).toEqual([
      [-0.5, 0.5],
      [-0.5, 0.5],
      [-3.14, 3.14],
      [0, 1.1],
      // A telescope of four segments of 0.13 m each.
      [0, 0.52],
      [-1.75, 1.8],
      [0, 0.04],
    ]);
  });

  it("the joint_limits of the design narrow only the named joints, as STRETCH_RE1_CONFIG does", () => {
    const range = ranges({ translate_x: [-0.3, 0.3], joint_arm_l0: [0.03, 0.1] });
    expect(range?.[0]).toEqual([-0.3, 0.3]);
    expect(range?.[1]).toEqual([-0.5, 0.5]);
    expect(range?.[4]).toEqual([0.03, 0.49]);
  });

  it.each([
    [{ translate_q: [0, 1] }, 'stretch has no joint or degree of freedom "translate_q" (did you'],
    [{ joint_lift: [2, 3] }, "joint_lift moves between 0 and 1.1, got [2,3]"],
    [{ translate_x: [0.1, -0.1] }, "expected [low, high] with low < high, got [0.1,-0.1]"],
    [{ base_x: [0, 0.1], translate_x: [0, 0.1] }, "translate_x is a joint of base_x"],
  ] as [Limits, string][])(
    "the joint_limits of the design reject %j in code and in a file with the same error",
    (limits, text) => {
      const error = errorOf(() => getTask("pick_place", { joint_limits: limits }));
      expect(error.message).toContain(text);
      expect(error.code).toBe("bad_config");
      expect(errorOf(() => resolved(limits))).toEqual(error);
    },
  );
});
