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

describe.each(MANIPULATION_TASKS)("generated episodes of %s", (task) => {
  it("depend on the seed and on their number alone", async () => {
    const three = await dicts({ task, count: 3 });
    expect(three.map(({ episode_id }) => episode_id)).toEqual(["0", "1", "2"]);
    expect(await dicts({ task, count: 2 })).toEqual(three.slice(0, 2));
    expect(await dicts({ task, count: 1, seed: 6 })).not.toEqual(three.slice(0, 1));
  });
});

describe("a generated split", () => {
  it("tells how often chance was asked, and why a draw was not taken", async () => {
    const seen: number[] = [];
    const split = await make({ count: 3, onEpisode: (episodes) => seen.push(episodes) });
    const rejected = Object.values(split.rejected).reduce((sum, n) => sum + n, 0);
    expect(split).toMatchObject({ task: "pick_place", robot: "stretch", references: 0 });
    expect(split.drawn).toBe(3 + rejected);
    expect(seen).toEqual([1, 2, 3]);
  });

  it("has the expert's way as a reference: joints, hand and actions of equal number", async () => {
    const { episodes, references } = await make({ task: "opening", count: 1, reference: true });
    expect(references).toBe(1);
    const { qpos = [], ee_pose = [], actions = [] } = episodes[0]?.referenceData?.trajectory ?? {};
    expect(qpos.length).toBeGreaterThan(20);
    expect([ee_pose.length, actions.length]).toEqual([qpos.length, qpos.length]);
    for (const [i, value] of (episodes[0]?.startState.joint_positions ?? []).entries()) {
      expect(qpos[0]?.[i]).toBeCloseTo(value, 3);
    }
  });

  it("is refused for a robot that nobody knows, with those that are known", async () => {
    await expect(make({ robot: "strech" })).rejects.toMatchObject({
      code: "unknown_robot",
      message: expect.stringContaining('"strech"'),
      hint: expect.stringContaining("stretch"),
    });
  });

  it("stops when told to", async () => {
    const signal = AbortSignal.abort();
    await expect(make({ signal })).rejects.toMatchObject({ code: "interrupted" });
  });
});

describe("a robot that does not ship", () => {
  it("has episodes made for it, and done by the expert, by its descriptor", async () => {
    const robot = { ...PANDA, robotType: "panda_two" };
    const split = await make({ robot, count: 1, reference: true });
    expect(split).toMatchObject({ robot: "panda_two", references: 1 });
    expect(split.episodes[0]?.taskConfig.robot_config).toEqual({ robot_type: "panda_two" });
  });

  it("cannot have any without a body of its own", async () => {
    if (!PANDA.model) throw new Error("the panda lost its body");
    const { mjcf: _, ...model } = PANDA.model;
    await expect(make({ robot: { ...PANDA, model } })).rejects.toThrow("has no body of its own");
  });
});
