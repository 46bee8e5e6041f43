import { afterEach, describe, expect, it } from "vitest";
import { BaseEpisode } from "../../../core/episode/base.js";
import { PANDA } from "../../../robots/panda.js";
import { STRETCH } from "../../../robots/stretch.js";
import type { Physics } from "../physics/physics.js";
import { worldOf } from "./from-episode.js";
import { placeAll } from "./place-robot.js";
import { createWorld } from "./world-physics.js";

const open: Physics[] = [];
afterEach(() => {
  for (const physics of open.splice(0)) physics.dispose();
});

async function placed(robot: typeof PANDA, gripper: number): Promise<Physics> {
  const home = robot.model?.home ?? [];
  const joint_positions = home.map((x, i) => (i === robot.gripperDof ? gripper : x));
  const startState = { joint_positions };
  const episode = new BaseEpisode({
    episodeId: "e",
    taskType: "pick_place",
    sceneId: "s",
    startState,
  });
  const world = worldOf(episode, robot);
  const physics = await createWorld(world, {}, "a test");
  open.push(physics);
  placeAll(physics, world);
  return physics;
}

const FINGERS = [
  ["stretch", STRETCH, "joint_gripper_finger_left", "joint_gripper_finger_right"],
  ["panda", PANDA, "panda_finger_joint1", "panda_finger_joint2"],
] as const;

describe.each(FINGERS)("the fingers of %s", (_, robot, first, second) => {
  it.each([0, 0.01, 0.04])(
    "the fingers start at the same position when the gripper starts at %d",
    async (gripper) => {
      const physics = await placed(robot, gripper);
      expect(physics.joint(first)).toBe(gripper);
      expect(physics.joint(second)).toBeCloseTo(gripper, 15);
      physics.step(1);
      expect(physics.joint(first)).toBeCloseTo(gripper, 4);
    },
  );

  it("the fingers start exactly at the model positions when the gripper starts open", async () => {
    expect((await placed(robot, 0.04)).joint(second)).toBe(0.04);
  });
});
