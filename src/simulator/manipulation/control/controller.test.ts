import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ProtocolError } from "../../../core/errors.js";
import { conjugate, multiply } from "../../../core/math/quat-wxyz.js";
import { ActionSpace } from "../../../core/task/types.js";
import type { RobotDescriptor } from "../../../robots/descriptor.js";
import { PANDA } from "../../../robots/panda.js";
import { STRETCH } from "../../../robots/stretch.js";
import { Physics } from "../physics/physics.js";
import { CONTROL_MODES, type ControlMode, makeController } from "./controller.js";
import { DofJoints, dofPositions } from "./dofs.js";
import { ARM, MOBILE, robotXml } from "./robots.fixture.js";

const TASK = new ActionSpace({ name: "hybrid", actions: ["stop"], shape: [7] });
const MOBILE_HOME = MOBILE.model?.home ?? [];

let physics: Physics;

async function begin(
  robot: RobotDescriptor,
  dofs: readonly number[],
  gravity = "0 0 0",
): Promise<void> {
  physics = await Physics.create(
    robotXml(robot).replace('gravity="0 0 0"', `gravity="${gravity}"`),
  );
  const joints = new DofJoints(robot, [...robot.dofs.keys()]);
  for (const [i, value] of joints.positions(dofs).entries()) {
    physics.setJoint(joints.names[i] ?? "", value);
  }
  for (const [i, actuator] of (robot.model?.actuators ?? []).entries()) {
    physics.setControl(actuator, dofs[i] ?? 0);
  }
  physics.forward();
}

const control = (mode: ControlMode, robot: RobotDescriptor = MOBILE) =>
  makeController(mode, physics, robot, TASK);

function expectDofs(robot: RobotDescriptor, expected: readonly number[], digits = 3): void {
  const dofs = dofPositions(physics, robot);
  for (const [i, value] of dofs.entries()) expect(value).toBeCloseTo(expected[i] ?? 0, digits);
}

beforeEach(() => begin(MOBILE, MOBILE_HOME));
afterEach(() => physics.dispose());

describe.each(CONTROL_MODES)("%s", (mode) => {
  it("a control mode keeps the named actions of the task in its action space", () => {
    const { actionSpace } = control(mode);
    expect(actionSpace.name).toBe("hybrid");
    expect(actionSpace.actions).toEqual(["stop"]);
    expect(actionSpace.size).toBe(7);
    expect(Object.keys(actionSpace.semantics ?? {})).toHaveLength(7);
    expect(makeController(mode, physics, MOBILE).actionSpace.name).toBe("continuous");
  });

  it("a control mode rejects an invalid action without moving the robot", () => {
    const controller = control(mode);
    const before = physics.hash();
    expect(() => controller.apply([1, 2])).toThrow("has 7 numbers, got 2");
    expect(() => controller.apply([0, 0, 0, Number.NaN, 0, 0, 0])).toThrow(ProtocolError);
    expect(() => controller.apply([0, 0, 0, 0, 0, 0, Number.POSITIVE_INFINITY])).toThrow(
      "action[6] is Infinity, not a finite number",
    );
    expect(physics.hash()).toBe(before);
  });
});

describe("joint_position", () => {
  it("joint_position moves every degree of freedom to the value of the action, a telescope in equal parts", () => {
    const action = [0.2, -0.3, 0.5, 0.9, 0.4, 1, 0.01];
    control("joint_position").apply(action);
    physics.step(2500);
    expectDofs(MOBILE, action);
    for (const joint of ["arm0", "arm1", "arm2", "arm3"]) {
      expect(physics.joint(joint)).toBeCloseTo(0.1, 3);
    }
  });

  it("joint_position clamps targets to the joint limits", () => {
    control("joint_position").apply([9, -9, 0, 9, 9, -9, 9]);
    const told = (MOBILE.model?.actuators ?? []).map((actuator) => physics.control(actuator));
    expect(told).toEqual([0.5, -0.5, 0, 1.1, 0.52, -1.75, 0.04]);
  });
});

describe("joint_delta", () => {
  it("joint_delta adds to the targets, not to the current positions", () => {
    const controller = control("joint_delta");
    for (let i = 0; i < 4; i++) {
      controller.apply([0.05, 0, 0, 0.1, 0, 0, -0.01]);
      physics.step(1);
    }
    expect(physics.control("drive_base_x")).toBeCloseTo(0.2, 12);
    expect(physics.control("drive_lift")).toBeCloseTo(1, 12);
    expect(physics.control("drive_finger")).toBeCloseTo(0, 12);
    controller.apply([0, 0, 0, 1, 0, 0, 0]);
    expect(physics.control("drive_lift")).toBe(1.1);
  });
});

describe("ee_delta_pose", () => {
  it.each([
    ["a mobile robot", MOBILE, "0 0 0"],
    ["Stretch", STRETCH, "0 0 -9.81"],
    ["the Panda-like arm", PANDA, "0 0 -9.81"],
  ])(
    "ee_delta_pose moves and turns the hand of %s by the sum of the deltas",
    async (_, robot, gravity) => {
      const site = robot.model?.endEffectorSite ?? "";
      for (const delta of [
        [0.01, -0.01, 0.01, 0, 0, 0],
        [0, 0, -0.01, 0, 0, 0.04],
        [-0.005, 0, 0, 0, 0, -0.06],
      ]) {
        physics.dispose();
        await begin(robot, robot.model?.home ?? [], gravity);
        const controller = control("ee_delta_pose", robot);
        const start = physics.site(site);
        for (let i = 0; i < 50; i++) {
          controller.apply([...(i < 10 ? delta : [0, 0, 0, 0, 0, 0]), 1]);
          physics.step(25);
        }
        const { position, rotation_wxyz } = physics.site(site);
        const [x, y, z] = position.map((p, i) => p - (start.position[i] ?? 0));
        const turn = multiply(rotation_wxyz, conjugate(start.rotation_wxyz));
        for (const [i, moved] of [x, y, z].entries())
          expect(moved).toBeCloseTo(10 * (delta[i] ?? 0), 2);
        expect(2 * Math.atan(turn[3] / turn[0])).toBeCloseTo(10 * (delta[5] ?? 0), 1);
        expect(Math.hypot(turn[1], turn[2])).toBeLessThan(0.02);
      }
    },
  );

  it("ee_delta_pose does not wind up while the arm is blocked", () => {
    const controller = control("ee_delta_pose");
    // The lift ends at 1.1 m: the target is raised by half a metre and lowered again.
    for (let i = 0; i < 40; i++) {
      controller.apply([0, 0, 0.025, 0, 0, 0, 1]);
      physics.step(25);
    }
    expect(dofPositions(physics, MOBILE)[3]).toBeCloseTo(1.1, 2);
    for (let i = 0; i < 8; i++) {
      controller.apply([0, 0, -0.025, 0, 0, 0, 1]);
      physics.step(25);
    }
    physics.step(200);
    expect(dofPositions(physics, MOBILE)[3]).toBeLessThan(1);
  });

  it("ee_delta_pose comes to rest without oscillating at the end of the reach of the arm", async () => {
    physics.dispose();
    await begin(ARM, ARM.model?.home ?? []);
    const controller = control("ee_delta_pose", ARM);
    const dofs: number[][] = [];
    for (let i = 0; i < 80; i++) {
      controller.apply([...(i < 20 ? [0.01, -0.01, 0.01] : [0, 0, 0]), 0, 0, 0, 1]);
      physics.step(25);
      dofs.push(dofPositions(physics, ARM));
    }
    for (const [i, value] of (dofs[79] ?? []).entries()) {
      expect(value).toBeCloseTo(dofs[60]?.[i] ?? 0, 2);
    }
  });

  it("ee_delta_pose limits moves to 5 cm and turns to 0.3 rad, and keeps their direction", () => {
    const arm = (action: readonly number[]) => {
      control("joint_position").apply(MOBILE_HOME);
      control("ee_delta_pose").apply(action);
      return (MOBILE.model?.actuators ?? []).map((actuator) => physics.control(actuator));
    };
    const side = 0.05 / Math.SQRT2;
    expect(arm([3, 3, 0, 0, 0, 0, 1])).toEqual(arm([side, side, 0, 0, 0, 0, 1]));
    expect(arm([0, 0, 0, 0, 0, -9, 1])).toEqual(arm([0, 0, 0, 0, 0, -0.3, 1]));
  });

  it("ee_delta_pose holds still with zeros, and sets the gripper between closed and open", () => {
    const controller = control("ee_delta_pose");
    const before = (MOBILE.model?.actuators ?? []).map((actuator) => physics.control(actuator));
    controller.apply([0, 0, 0, 0, 0, 0, 0.25]);
    const after = (MOBILE.model?.actuators ?? []).map((actuator) => physics.control(actuator));
    expect(after.slice(0, 6)).toEqual(before.slice(0, 6));
    expect(after[6]).toBeCloseTo(0.01, 12);
    controller.apply([0, 0, 0, 0, 0, 0, 7]);
    expect(physics.control("drive_finger")).toBe(0.04);
  });

  it("ee_delta_pose compensates with the other joints for one at its limit", async () => {
    physics.dispose();
    await begin(MOBILE, [0, 0, 0, 0.6, 0.52, 0, 0.04]);
    control("ee_delta_pose").apply([0, -0.05, 0, 0, 0, 0, 1]);
    expect(physics.control("drive_arm0+arm1+arm2+arm3")).toBeCloseTo(0.52, 9);
    expect(physics.control("drive_base_y")).toBeCloseTo(-0.05, 2);
  });
});
