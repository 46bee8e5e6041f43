import { describe, expect, it } from "vitest";
import { PANDA } from "../../robots/panda.js";
import { generateManipulation, MANIPULATION_TASKS, type ManipulationOptions } from "./generate.js";

const make = (options: Partial<ManipulationOptions> = {}) =>
  generateManipulation({
    task: "pick_place",
    robot: "stretch",
    seed: 5,
    count: 2,
    reference: false,
    ...options,
  });

const dicts = async (options: Partial<ManipulationOptions> = {}) =>
  (await make(options)).episodes.map((episode) => episode.toDict());

describe.each(MANIPULATION_TASKS)("generated %s episodes", (task) => {
  it("generated episodes depend only on the seed and their number", async () => {
    const three = await dicts({ task, count: 3 });
    expect(three.map(({ episode_id }) => episode_id)).toEqual(["0", "1", "2"]);
    expect(await dicts({ task, count: 2 })).toEqual(three.slice(0, 2));
    expect(await dicts({ task, count: 1, seed: 6 })).not.toEqual(three.slice(0, 1));
  });
});

describe("generated manipulation split", () => {
  it("a generated manipulation split reports the number of draws and the reasons of rejected ones", async () => {
    const seen: number[] = [];
    const split = await make({ count: 3, onEpisode: (episodes) => seen.push(episodes) });
    const rejected = Object.values(split.rejected).reduce((sum, n) => sum + n, 0);
    expect(split).toMatchObject({ task: "pick_place", robot: "stretch", references: 0 });
    expect(split.drawn).toBe(3 + rejected);
    expect(seen).toEqual([1, 2, 3]);
  });

  it("the reference is the expert trajectory, with joints, hand poses and actions of equal length", async () => {
    const { episodes, references } = await make({ task: "opening", count: 1, reference: true });
    expect(references).toBe(1);
    const { qpos = [], ee_pose = [], actions = [] } = episodes[0]?.referenceData?.trajectory ?? {};
    expect(qpos.length).toBeGreaterThan(20);
    expect([ee_pose.length, actions.length]).toEqual([qpos.length, qpos.length]);
    for (const [i, value] of (episodes[0]?.startState.joint_positions ?? []).entries()) {
      expect(qpos[0]?.[i]).toBeCloseTo(value, 3);
    }
  });

  it("an unknown robot is rejected with the names of the known ones", async () => {
    await expect(make({ robot: "strech" })).rejects.toMatchObject({
      code: "unknown_robot",
      message: expect.stringContaining('"strech"'),
      hint: expect.stringContaining("stretch"),
    });
  });

  it("generation stops generating manipulation episodes when interrupted", async () => {
    const signal = AbortSignal.abort();
    await expect(make({ signal })).rejects.toMatchObject({ code: "interrupted" });
  });
});

describe("a robot that is not built in", () => {
  it("solvable episodes are generated for the descriptor of a robot that is not built in", async () => {
    const robot = { ...PANDA, robotType: "panda_two" };
    const split = await make({ robot, count: 1, reference: true });
    expect(split).toMatchObject({ robot: "panda_two", references: 1 });
    expect(split.episodes[0]?.taskConfig.robot_config).toEqual({ robot_type: "panda_two" });
  });

  it("generation rejects a robot without a body model", async () => {
    if (!PANDA.model) throw new Error("PANDA has no body model");
    const { mjcf: _, ...model } = PANDA.model;
    await expect(make({ robot: { ...PANDA, model } })).rejects.toThrow("has no body model");
  });
});
