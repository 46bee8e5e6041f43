import { describe, expect, it } from "vitest";
import { BUILT_IN_ROBOTS, findRobot } from "./catalog.js";
import { dofFrom, dofOf } from "./descriptor.js";
import { STRETCH } from "./stretch.js";
import { STRETCH_RE1 } from "./stretch-re1.js";

describe("the Stretch descriptor", () => {
  it("the Stretch descriptor has the ten specified joints in order", () => {
    expect(STRETCH.joints.map((joint) => joint.name)).toEqual([
      "translate_x",
      "translate_y",
      "rotate_z",
      "joint_lift",
      "joint_arm_l0",
      "joint_arm_l1",
      "joint_arm_l2",
      "joint_arm_l3",
      "joint_wrist_yaw",
      "joint_gripper_finger_left",
    ]);
  });

  it("the Stretch descriptor has seven degrees of freedom", () => {
    expect(dofOf(STRETCH)).toBe(7);
    expect(STRETCH.dofs.map((dof) => dof.name)).toEqual([
      "base_x",
      "base_y",
      "base_theta",
      "lift",
      "arm",
      "wrist_yaw",
      "gripper",
    ]);
    expect(STRETCH.dofs[STRETCH.gripperDof]?.name).toBe("gripper");
  });

  it("the Stretch descriptor has one telescoping arm of four segments with a range of 0 to 0.52 m", () => {
    const arm = STRETCH.dofs.find((dof) => dof.name === "arm");
    expect(arm?.joints).toHaveLength(4);
    expect(arm?.limits[0]).toBe(0);
    expect(arm?.limits[1]).toBeCloseTo(0.52, 12);
  });

  // Limits from the published URDF of RE1V0, RE2V0 and SE3.
  it.each([
    ["joint_lift", 0, 1.1],
    ["joint_arm_l0", 0, 0.13],
    ["joint_wrist_yaw", -1.75, 4],
  ])("the Stretch descriptor limits %s to %d to %d", (name, low, high) => {
    expect(STRETCH.joints.find((joint) => joint.name === name)?.limits).toEqual([low, high]);
  });
});

describe("the Stretch RE1 descriptor", () => {
  it("the Stretch RE1 descriptor equals Stretch with the base limited to 0.3 m", () => {
    expect(dofOf(STRETCH_RE1)).toBe(7);
    expect(STRETCH_RE1.dofs[0]?.limits).toEqual([-0.3, 0.3]);
    expect(STRETCH_RE1.dofs[1]?.limits).toEqual([-0.3, 0.3]);
    expect(STRETCH_RE1.dofs.slice(2)).toEqual(STRETCH.dofs.slice(2));
  });
});

describe("every built-in robot", () => {
  it.each(BUILT_IN_ROBOTS)("$robotType has a consistent descriptor", (robot) => {
    const names = robot.joints.map((joint) => joint.name);
    expect(new Set(names).size).toBe(names.length);
    expect(robot.dofs.flatMap((dof) => dof.joints)).toEqual(names);
    for (const { limits } of [...robot.joints, ...robot.dofs]) {
      expect(limits[0]).toBeLessThan(limits[1]);
    }
    expect(robot.gripperDof).toBeLessThan(dofOf(robot));
    expect(findRobot(robot.robotType)).toBe(robot);
  });

  it("every built-in robot has a unique type", () => {
    expect(findRobot("panda")?.description).toContain("seven axes");
    expect(findRobot("stretch_4")).toBeUndefined();
  });
});

describe("a degree of freedom", () => {
  it("a degree of freedom over coupled joints has the sum of their ranges", () => {
    const joint = (name: string, high: number) => ({
      name,
      unit: "m" as const,
      limits: [-1, high] as const,
    });
    expect(dofFrom("arm", [joint("a", 2), joint("b", 3)])).toEqual({
      name: "arm",
      joints: ["a", "b"],
      limits: [-2, 5],
    });
  });
});
