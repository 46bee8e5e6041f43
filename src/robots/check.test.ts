import { describe, expect, it } from "vitest";
import { BUILT_IN_ROBOTS } from "./catalog.js";
import { assertRobot } from "./check.js";
import { STRETCH } from "./stretch.js";

const model = (more: object) => ({ ...STRETCH, model: { ...STRETCH.model, ...more } });

describe("assertRobot", () => {
  it.each(BUILT_IN_ROBOTS.map((robot) => [robot.robotType, robot] as const))(
    "assertRobot accepts the descriptor of %s",
    (_, robot) => {
      expect(() => assertRobot(robot)).not.toThrow();
    },
  );

  it("assertRobot accepts a robot without a model, a wrist camera or its own MJCF", () => {
    const { model: _, ...named } = STRETCH;
    for (const robot of [named, model({ cameras: {} }), model({ mjcf: undefined })]) {
      expect(() => assertRobot(robot)).not.toThrow();
    }
  });

  it.each<[string, unknown, string]>([
    ["lacks dofs", { robotType: "x", description: "", joints: [] }, "joints"],
    ["has a name with spaces", { ...STRETCH, robotType: "my robot" }, "robotType"],
    [
      "moves a joint that it does not have",
      { ...STRETCH, dofs: [{ ...STRETCH.dofs[0], joints: ["translate_z"] }] },
      'dofs.0.joints.0: no joint "translate_z"; did you mean "translate_x"?',
    ],
    ["has too few actuators", model({ actuators: ["a"] }), "expected one for each of the 7 dofs"],
    [
      "starts beyond its limits",
      model({ home: [9, 0, 0, 0.8, 0.1, 0, 0.04] }),
      "base_x must be between",
    ],
    ["has a gripper index out of range", { ...STRETCH, gripperDof: 7 }, "there are 7 dofs, from 0"],
    [
      "has equal open and closed gripper values",
      model({ gripper: { ...STRETCH.model?.gripper, open: 0 } }),
      "the same",
    ],
  ])("assertRobot rejects a robot that %s and names the field", (_, robot, words) => {
    expect(() => assertRobot(robot)).toThrow(words);
  });
});
