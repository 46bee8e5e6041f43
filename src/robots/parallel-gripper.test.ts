import { describe, expect, it } from "vitest";
import type { Vec3 } from "../core/math/vec3.js";
import { type MjcfElement, mjcf } from "../core/mjcf/element.js";
import { fragmentOf, type GripperRobot } from "./descriptor.js";
import { PANDA } from "./panda.js";
import { RobotLab } from "./robot-lab.fixture.js";
import { STRETCH } from "./stretch.js";

const HALF_M = 0.02;

/** The robot at home with a box of 40 mm and 0.2 kg in the air between its fingers. */
async function withBox(robot: GripperRobot): Promise<RobotLab> {
  const probe = await RobotLab.of(robot);
  probe.place(probe.body.home);
  const pos = probe.endEffector().position;
  probe.close();
  const box = mjcf(
    "body",
    { name: "box", pos },
    mjcf("freejoint"),
    mjcf("geom", { type: "box", size: [HALF_M, HALF_M, HALF_M], mass: 0.2, condim: 4 }),
  );
  const lab = await RobotLab.of(robot, { worldbody: [box] });
  lab.place(withGripper(robot, HALF_M + 0.0002));
  return lab;
}

function withGripper(robot: GripperRobot, value: number): number[] {
  return (robot.model?.home ?? []).map((home, i) => (i === robot.gripperDof ? value : home));
}

/** Position of the box in hand coordinates. */
function inHand(lab: RobotLab): Vec3 {
  const { position, axes } = lab.endEffector();
  const box = lab.bodyPosition("box");
  const at = (axis: Vec3) =>
    axis.reduce((sum, a, i) => sum + a * ((box[i] ?? 0) - (position[i] ?? 0)), 0);
  return [at(axes[0]), at(axes[1]), at(axes[2])];
}

function slipM(lab: RobotLab, from: Vec3): number {
  return Math.hypot(...inHand(lab).map((x, i) => x - (from[i] ?? 0)));
}

/** The robot with pads of other friction, as scenes use for negative controls. */
function slippery(robot: GripperRobot, friction: number): GripperRobot {
  const pads = new Set(robot.model.gripper.fingers.flat());
  const change = (element: MjcfElement): MjcfElement => ({
    ...element,
    attributes: pads.has(String(element.attributes.name))
      ? { ...element.attributes, friction: [friction, 0.0002, 0.0001], priority: 2 }
      : element.attributes,
    children: element.children.map(change),
  });
  const whole = fragmentOf(robot) ?? {};
  const worldbody = (whole.worldbody ?? []).map(change);
  return { ...robot, model: { ...robot.model, mjcf: { ...whole, worldbody } } };
}

describe.each([STRETCH, PANDA])("the gripper of $robotType", (robot) => {
  it("the robot gripper holds a box by friction for 5 s with less than 1 mm of slip", async () => {
    const lab = await withBox(robot);
    lab.command(withGripper(robot, 0));
    lab.run(0.5);
    const held = inHand(lab);
    expect(Math.hypot(...held)).toBeLessThan(0.002);
    lab.run(5);
    expect(slipM(lab, held)).toBeLessThan(0.001);
    lab.close();
  });

  it("the robot gripper holds a box while the robot moves", async () => {
    const lab = await withBox(robot);
    const goal = withGripper(robot, 0);
    lab.command(goal);
    lab.run(0.5);
    const held = inHand(lab);
    // Up and outwards at full speed.
    for (const [dof, by] of robot === STRETCH
      ? [
          [3, 0.15],
          [4, 0.2],
        ]
      : [
          [3, 0.3],
          [1, 0.2],
        ]) {
      goal[dof ?? 0] = (goal[dof ?? 0] ?? 0) + (by ?? 0);
    }
    lab.command(goal);
    lab.run(2);
    expect(slipM(lab, held)).toBeLessThan(0.005);
    lab.close();
  });

  // Contacts are soft, so a held object creeps while the hand accelerates: here by 7 and 13 mm.
  it("the robot gripper holds a box through a 90° turn at full speed and back with less than 15 mm of creep", async () => {
    const lab = await withBox(robot);
    const goal = withGripper(robot, 0);
    lab.command(goal);
    lab.run(0.5);
    const held = inHand(lab);
    const dof = robot === STRETCH ? 2 : 0;
    const home = goal[dof] ?? 0;
    for (const turn of [Math.PI / 2, 0]) {
      goal[dof] = home + turn;
      lab.command(goal);
      lab.run(2.5);
    }
    expect(slipM(lab, held)).toBeLessThan(0.015);
    lab.close();
  });

  it("the robot gripper presses on a box steadily with the same force from both sides", async () => {
    const lab = await withBox(robot);
    lab.command(withGripper(robot, 0));
    lab.run(0.5);
    const forces: number[] = [];
    lab.run(0.5, () => {
      for (const pad of lab.body.gripper.fingers.flat()) forces.push(lab.pressure(pad));
    });
    expect(Math.min(...forces)).toBeGreaterThan(19);
    expect(Math.max(...forces)).toBeLessThan(31);
    expect(Math.max(...forces) - Math.min(...forces)).toBeLessThan(1);
    lab.close();
  });

  it("the robot gripper drops a box when it opens to the width in the descriptor", async () => {
    const lab = await withBox(robot);
    lab.command(withGripper(robot, 0));
    lab.run(0.5);
    lab.command(withGripper(robot, lab.body.gripper.open));
    lab.run(1.5);
    expect(lab.bodyPosition("box")[2]).toBeLessThan(0.1);
    expect(gapBetweenPads(lab)).toBeCloseTo(lab.body.gripper.openingM, 4);
    lab.close();
  });

  it("the robot gripper closes until its pads meet", async () => {
    const lab = await RobotLab.of(robot);
    lab.place(lab.body.home);
    lab.command(withGripper(robot, lab.body.gripper.closed));
    lab.run(1.5);
    expect(gapBetweenPads(lab)).toBeCloseTo(0, 4);
    lab.close();
  });

  it("the robot gripper cannot hold a box with slippery pads", async () => {
    const lab = await withBox(slippery(robot, 0.02));
    lab.command(withGripper(robot, 0));
    lab.run(1.5);
    expect(lab.bodyPosition("box")[2]).toBeLessThan(0.1);
    lab.close();
  });
});

/** Distance between the inner faces of the pads, in metres. */
function gapBetweenPads(lab: RobotLab): number {
  const [left = 0, right = 0] = lab.body.gripper.fingers.map((pads) =>
    lab.id("GEOM", pads[0] ?? ""),
  );
  const { geom_xpos } = lab.data;
  const between = [0, 1, 2].map((k) => geom_xpos[3 * left + k] - geom_xpos[3 * right + k]);
  return Math.hypot(...between) - 2 * lab.model.geom_size[3 * left + 1];
}
