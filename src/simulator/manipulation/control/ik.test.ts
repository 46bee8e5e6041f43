import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Pose3 } from "../../../core/interfaces/manipulation-view.js";
import { conjugate, multiply, rotate } from "../../../core/math/quat-wxyz.js";
import { Random } from "../../../core/math/random.js";
import type { RobotDescriptor } from "../../../robots/descriptor.js";
import { PANDA } from "../../../robots/panda.js";
import { STRETCH } from "../../../robots/stretch.js";
import { Physics } from "../physics/physics.js";
import { DofJoints } from "./dofs.js";
import { solveIk } from "./ik.js";
import { ARM, MOBILE, robotXml } from "./robots.fixture.js";

const worlds = new Map<RobotDescriptor, Physics>();
const ROBOTS = [
  ["a mobile robot with a telescope", MOBILE],
  ["a seven-axis arm", ARM],
  ["Stretch", STRETCH],
  ["the Panda-like arm", PANDA],
] as const;

beforeAll(async () => {
  for (const [, robot] of ROBOTS) worlds.set(robot, await Physics.create(robotXml(robot)));
});

afterAll(() => {
  for (const physics of worlds.values()) physics.dispose();
});

function worldOf(robot: RobotDescriptor): Physics {
  const physics = worlds.get(robot);
  if (!physics) throw new Error("no world");
  return physics;
}

/** Forward kinematics of the hand. */
function handAt(robot: RobotDescriptor, dofs: readonly number[]): Pose3 {
  const joints = new DofJoints(robot, [...robot.dofs.keys()]);
  const scratch = worldOf(robot).scratch();
  scratch.setJoints(joints.names, joints.positions(dofs));
  return scratch.site(robot.model?.endEffectorSite ?? "");
}

function moveM(a: Pose3, b: Pose3): number {
  return Math.hypot(...a.position.map((x, i) => x - (b.position[i] ?? 0)));
}

function turnRad(a: Pose3, b: Pose3): number {
  const [w, x, y, z] = multiply(a.rotation_wxyz, conjugate(b.rotation_wxyz));
  return 2 * Math.atan2(Math.hypot(x, y, z), Math.abs(w));
}

/** Uniformly drawn degrees of freedom; fast-check's numbers are biased towards the limits. */
function within(robot: RobotDescriptor) {
  return fc.nat().map((seed) => {
    const random = new Random(seed);
    return robot.dofs.map(({ limits: [low, high] }) => low + (high - low) * random.uniform());
  });
}

describe.each(ROBOTS)("inverse kinematics of %s", (_, robot) => {
  const home = robot.model?.home ?? [];

  it("inverse kinematics finds a solution within the limits for every reachable pose", () => {
    fc.assert(
      fc.property(within(robot), (dofs) => {
        const target = handAt(robot, dofs);
        const found = solveIk(worldOf(robot), robot, target, { from: home });
        expect(found).toBeDefined();
        const reached = handAt(robot, found ?? []);
        expect(moveM(reached, target)).toBeLessThan(0.005);
        expect(turnRad(reached, target)).toBeLessThan(0.02);
        for (const [i, value] of (found ?? []).entries()) {
          const [low, high] = robot.dofs[i]?.limits ?? [0, 0];
          expect(value).toBeGreaterThanOrEqual(low);
          expect(value).toBeLessThanOrEqual(high);
        }
        const gripper = robot.gripperDof ?? -1;
        expect(found?.[gripper]).toBe(home[gripper]);
      }),
      { numRuns: 80, seed: 7 },
    );
  });

  it("inverse kinematics returns the current joints if the pose is already reached", () => {
    fc.assert(
      fc.property(within(robot), (dofs) => {
        const found = solveIk(worldOf(robot), robot, handAt(robot, dofs), { from: dofs });
        for (const [i, value] of (found ?? []).entries())
          expect(value).toBeCloseTo(dofs[i] ?? 0, 5);
      }),
      { numRuns: 30, seed: 7 },
    );
  });

  it("inverse kinematics matches only the direction of the fingers with axis x, and only the position with none", () => {
    fc.assert(
      fc.property(within(robot), fc.double({ min: -3, max: 3, noNaN: true }), (dofs, roll) => {
        const pose = handAt(robot, dofs);
        const turn = [Math.cos(roll / 2), Math.sin(roll / 2), 0, 0] as const;
        const target = { ...pose, rotation_wxyz: multiply(pose.rotation_wxyz, turn) };
        const found = solveIk(worldOf(robot), robot, target, { from: home, axis: "x" });
        const reached = handAt(robot, found ?? []);
        expect(moveM(reached, target)).toBeLessThan(0.005);
        const [a, b] = [reached, target].map(({ rotation_wxyz }) =>
          rotate(rotation_wxyz, [1, 0, 0]),
        );
        expect(Math.hypot(...(a ?? []).map((x, i) => x - (b?.[i] ?? 0)))).toBeLessThan(0.02);
        const anyhow = solveIk(worldOf(robot), robot, target, { from: home, axis: "none" });
        expect(moveM(handAt(robot, anyhow ?? []), target)).toBeLessThan(0.005);
      }),
      { numRuns: 30, seed: 7 },
    );
  });

  it("inverse kinematics returns undefined if there is no solution", () => {
    const far: Pose3 = { position: [5, 0, 1], rotation_wxyz: [1, 0, 0, 0] };
    expect(solveIk(worldOf(robot), robot, far, { axis: "none" })).toBeUndefined();
  });

  it("inverse kinematics is deterministic and does not change the simulation in a single bit", () => {
    const physics = worldOf(robot);
    physics.reset();
    for (const actuator of robot.model?.actuators ?? []) physics.setControl(actuator, 0.2);
    physics.step(50);
    const hash = physics.hash();
    const target = handAt(robot, home);
    const first = solveIk(physics, robot, target);
    solveIk(physics, robot, { ...target, position: [9, 9, 9] });
    expect(solveIk(physics, robot, target)).toEqual(first);
    expect(physics.hash()).toBe(hash);
    physics.step(50);
    const after = physics.hash();
    physics.reset();
    for (const actuator of robot.model?.actuators ?? []) physics.setControl(actuator, 0.2);
    physics.step(50);
    physics.step(50);
    expect(physics.hash()).toBe(after);
  });
});

describe("inverse kinematics of a redundant robot", () => {
  it("inverse kinematics of a redundant robot moves as little as possible: only the lift to go straight up", () => {
    const home = MOBILE.model?.home ?? [];
    const { position, rotation_wxyz } = handAt(MOBILE, home);
    const above: Pose3 = { position: [position[0], position[1], position[2] + 0.2], rotation_wxyz };
    const found = solveIk(worldOf(MOBILE), MOBILE, above, { from: home }) ?? [];
    const expected = home.map((value, i) => (i === 3 ? value + 0.2 : value));
    for (const [i, value] of found.entries()) expect(value).toBeCloseTo(expected[i] ?? 0, 4);
  });

  it("inverse kinematics of a redundant robot is no farther from its start than the best solution of a grid search", () => {
    // The pose fixes position and heading of the hand; base heading and reach then determine all other joints.
    const home = MOBILE.model?.home ?? [];
    const [x, y, z] = handAt(MOBILE, home).position;
    const target: Pose3 = {
      position: [x + 0.15, y - 0.1, z],
      rotation_wxyz: handAt(MOBILE, home).rotation_wxyz,
    };
    const found = solveIk(worldOf(MOBILE), MOBILE, target, { from: home }) ?? [];
    const way = (dofs: readonly number[]) => Math.hypot(...dofs.map((q, i) => q - (home[i] ?? 0)));
    let best = Number.POSITIVE_INFINITY;
    for (let yaw = -0.6; yaw <= 0.6; yaw += 0.02) {
      for (let reach = 0; reach <= 0.52; reach += 0.01) {
        const dofs = [0, 0, yaw, home[3] ?? 0, reach, -yaw, home[6] ?? 0];
        const at = handAt(MOBILE, dofs).position;
        dofs[0] = target.position[0] - at[0];
        dofs[1] = target.position[1] - at[1];
        if (Math.max(Math.abs(dofs[0]), Math.abs(dofs[1])) <= 0.5) best = Math.min(best, way(dofs));
      }
    }
    expect(way(found)).toBeLessThan(best + 1e-3);
  });
});
