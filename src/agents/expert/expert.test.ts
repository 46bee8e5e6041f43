import { describe, expect, it } from "vitest";
import type { AgentEpisode } from "../../core/interfaces/agent.js";
import type { ViewObject } from "../../core/interfaces/manipulation-view.js";
import { ActionSpace } from "../../core/task/types.js";
import { ExpertAgent } from "./expert.js";
import { FakeWorld } from "./fake-view.fixture.js";
import { flatDistance, level } from "./pose.js";

const MOST_STEPS = 1500;

function object(
  name: string,
  shape: string,
  at: readonly [number, number],
  height = 0.1,
): ViewObject {
  return {
    name,
    shape,
    sizeM: [0.05, 0.05, height],
    position: [at[0], at[1], height / 2],
    rotation_wxyz: level(0.4),
  };
}

const CUP = object("cup_red", "cup", [0.5, 0.1]);
const PUT = {
  target_object: { name: "cup_red" },
  target_location: { position: [0.6, -0.2, 0.05] },
  success_criteria: { type: "grasp_and_lift", lift_height: 0.1, place_tolerance: 0.05 },
};

function episode(world: FakeWorld, taskType: string, stop = true): AgentEpisode {
  const actionSpace = new ActionSpace({
    name: stop ? "hybrid" : "continuous",
    actions: ["stop"],
    shape: [5],
  });
  return {
    taskType,
    episodeId: "1",
    sceneId: "tabletop",
    episodeKey: "k",
    episode: {},
    actionSpace,
    seed: 1,
    manipulation: world.view,
  };
}

/** Runs until the expert stops; returns its phases in order. */
function run(world: FakeWorld, taskType: string): string[] {
  const agent = new ExpertAgent();
  agent.reset(episode(world, taskType));
  const phases: string[] = [];
  for (let i = 0; i < MOST_STEPS; i++) {
    const action = agent.act();
    if (phases.at(-1) !== agent.phase) phases.push(agent.phase);
    if (typeof action === "string") {
      expect(action).toBe("stop");
      return phases;
    }
    world.send(action);
  }
  throw new Error(`still ${phases.at(-1)} after ${MOST_STEPS} steps`);
}

describe("ExpertAgent", () => {
  it.each(["level", "down"] as const)(
    "ExpertAgent moves an object to its target with a hand that points %s",
    (hand) => {
      const world = new FakeWorld({ objects: [CUP], goals: PUT, hand });
      const phases = run(world, "pick_place");
      expect(flatDistance(world.object("cup_red").position, [0.6, -0.2, 0])).toBeLessThan(0.01);
      expect(phases).toEqual([
        "approach",
        "pregrasp",
        "reach",
        "close",
        "lift",
        "transfer",
        "lower",
        "open",
        "retreat",
      ]);
    },
  );

  it("ExpertAgent stacks an object on another", () => {
    const base = object("box_blue", "box", [0.55, -0.2], 0.06);
    const goals = {
      target_object: { name: "cup_red" },
      target_location: { object: "box_blue" },
      success_criteria: { type: "stacked" },
    };
    const world = new FakeWorld({ objects: [CUP, base], goals });
    run(world, "stacking");
    const [x, y, z] = world.object("cup_red").position;
    expect(flatDistance([x, y, z], base.position)).toBeLessThan(0.01);
    expect(z).toBeCloseTo(0.06 + 0.05, 2);
  });

  it("ExpertAgent pulls a drawer open by its handle", () => {
    const goals = {
      target_fixture: { name: "drawer" },
      success_criteria: { opened_fraction: 0.75 },
    };
    const world = new FakeWorld({ goals });
    const phases = run(world, "opening");
    expect(world.opened).toBeGreaterThan(0.75);
    expect(phases).toEqual(["approach", "reach", "close", "pull", "open", "retreat"]);
  });

  it("ExpertAgent grasps again when the object slips, and gives up when it always slips", () => {
    const clumsy = new FakeWorld({ objects: [CUP], goals: PUT });
    clumsy.slips = 2;
    run(clumsy, "pick_place");
    expect(flatDistance(clumsy.object("cup_red").position, [0.6, -0.2, 0])).toBeLessThan(0.01);

    const hopeless = new FakeWorld({ objects: [CUP], goals: PUT });
    hopeless.slips = 1000;
    run(hopeless, "pick_place");
    expect(hopeless.object("cup_red").position).toEqual(CUP.position);
  });

  it("ExpertAgent carries an object above obstacles", () => {
    const tall = object("bottle_blue", "bottle", [0.55, -0.05], 0.2);
    const world = new FakeWorld({ objects: [CUP, tall], goals: PUT });
    const agent = new ExpertAgent();
    agent.reset(episode(world, "pick_place"));
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < MOST_STEPS; i++) {
      const action = agent.act();
      if (typeof action === "string") break;
      world.send(action);
      if (agent.phase === "transfer") least = Math.min(least, world.object("cup_red").position[2]);
    }
    expect(least - 0.05).toBeGreaterThan(0.2);
  });

  it("ExpertAgent stops at once if the object is out of reach, and holds still if it cannot stop", () => {
    const far = new FakeWorld({ objects: [{ ...CUP, position: [3, 0, 0.05] }], goals: PUT });
    run(far, "pick_place");
    expect(far.sent.length).toBeLessThan(40);

    const agent = new ExpertAgent();
    const world = new FakeWorld({ objects: [{ ...CUP, position: [3, 0, 0.05] }], goals: PUT });
    agent.reset(episode(world, "pick_place", false));
    for (let i = 0; i < 60; i++) expect(agent.act()).toEqual([0.2, 0, 0.5, 0, 0.04]);
  });

  it("ExpertAgent stays within its speed limits", () => {
    const world = new FakeWorld({ objects: [CUP], goals: PUT });
    run(world, "pick_place");
    for (const [i, action] of world.sent.entries()) {
      const before = world.sent[i - 1] ?? action;
      const fastest = Math.max(...action.slice(0, 3).map((q, k) => Math.abs(q - (before[k] ?? q))));
      expect(fastest / 0.05).toBeLessThanOrEqual(1.2 + 1e-9);
    }
  });

  it("ExpertAgent rejects a simulator, action space or task that it does not support", () => {
    const world = new FakeWorld({ objects: [CUP], goals: PUT });
    const { manipulation: _, ...blind } = episode(world, "pick_place");
    expect(() => new ExpertAgent().reset(blind)).toThrow("privileged state");
    expect(() => new ExpertAgent().reset(episode(world, "vln"))).toThrow("does not support");
    const deltas = new ActionSpace({ name: "continuous", shape: [7] });
    const wrong = { ...episode(world, "pick_place"), actionSpace: deltas };
    expect(() => new ExpertAgent().reset(wrong)).toThrow("5 joint positions");
  });
});
