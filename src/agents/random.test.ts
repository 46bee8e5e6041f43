import { describe, expect, it } from "vitest";
import { tinyEpisode, tinyGraphs } from "../../test/support/tiny-world.js";
import type { AgentEpisode } from "../core/interfaces/agent.js";
import type { ActionSpace } from "../core/task/types.js";
import { GraphSimulator } from "../simulator/navigation/graph.js";
import { PickAndPlaceTask } from "../tasks/manipulation/pick-place.js";
import { VLNTask } from "../tasks/vln/task.js";
import { RandomAgent } from "./random.js";

function told(actionSpace: ActionSpace, seed: number): AgentEpisode {
  return {
    taskType: "vln",
    episodeId: "e",
    sceneId: "tiny",
    episodeKey: "vln/tiny/e",
    episode: {},
    actionSpace,
    seed,
  };
}

/** The first actions of a random walk that ignores stop. */
async function walk(seed: number, steps = 30): Promise<unknown[]> {
  const sim = new GraphSimulator({ task: new VLNTask(), config: {}, graphs: tinyGraphs() });
  const agent = new RandomAgent();
  let frame = await sim.reset(tinyEpisode("b", "d"));
  agent.reset(told(sim.actionSpace, seed));
  const actions: unknown[] = [];
  for (let i = 0; i < steps; i++) {
    const action = agent.act(frame.observation);
    actions.push(action);
    frame = sim.step(sim.actionSpace.parse(action));
  }
  return actions;
}

describe("RandomAgent", () => {
  it("RandomAgent acts the same for the same seed and differently for another", async () => {
    expect(await walk(1)).toEqual(await walk(1));
    expect(await walk(1)).not.toEqual(await walk(2));
  });

  it("RandomAgent takes only valid actions: a goto always names an adjacent node", async () => {
    const actions = await walk(3, 300);
    expect(actions.some((action) => String(action).startsWith("goto:"))).toBe(true);
    expect(actions).not.toContain("goto");
  });

  it("RandomAgent restarts its random stream with each episode", () => {
    const space = new PickAndPlaceTask().actionSpace;
    const agent = new RandomAgent();
    agent.reset(told(space, 5));
    const first = agent.act({});
    agent.act({});
    agent.reset(told(space, 5));
    expect(agent.act({})).toEqual(first);
  });

  it("RandomAgent stays within the limits of a robot", () => {
    const space = new PickAndPlaceTask().actionSpace;
    const agent = new RandomAgent();
    agent.reset(told(space, 8));
    for (let i = 0; i < 100; i++) {
      const action = space.parse(agent.act({}));
      if (typeof action === "string") continue;
      for (const [k, value] of action.entries()) {
        const [low, high] = space.limits(k) ?? [0, 0];
        expect(value).toBeGreaterThanOrEqual(low);
        expect(value).toBeLessThanOrEqual(high);
      }
    }
  });

  it("RandomAgent rejects act before reset", () => {
    expect(() => new RandomAgent().act({})).toThrow("before reset");
  });
});
