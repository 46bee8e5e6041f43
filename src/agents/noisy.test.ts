import { describe, expect, it } from "vitest";
import { evaluate, tinyWorld } from "../../test/support/tiny-world.js";
import type { Agent, AgentEpisode } from "../core/interfaces/agent.js";
import { ActionSpace } from "../core/task/types.js";
import { NoisyAgent, noisyAgentFactory } from "./noisy.js";

const actionSpace = new ActionSpace({
  name: "discrete",
  actions: ["stop", "move_forward", "turn_left", "goto"],
});
const told = (seed: number): AgentEpisode => ({
  taskType: "vln",
  episodeId: "e",
  sceneId: "s",
  episodeKey: "vln/s/e",
  episode: {},
  actionSpace,
  seed,
});
const stops: Agent = { reset: () => {}, act: () => "stop" };

async function acts(chance: number, seed: number, n = 1000): Promise<unknown[]> {
  const agent = new NoisyAgent(stops, chance);
  await agent.reset(told(seed));
  const actions: unknown[] = [];
  for (let i = 0; i < n; i++) actions.push(await agent.act({}));
  return actions;
}

describe("NoisyAgent", () => {
  it("NoisyAgent follows the inner agent except for a share of its steps", async () => {
    expect(new Set(await acts(0, 1))).toEqual(new Set(["stop"]));
    const meant = (await acts(0.3, 1)).filter((action) => action === "stop").length;
    // 700 expected; four standard deviations of the binomial are 58.
    expect(meant).toBeGreaterThan(640);
    expect(meant).toBeLessThan(760);
  });

  it("NoisyAgent never stops or jumps at random", async () => {
    expect(new Set(await acts(1, 2))).toEqual(new Set(["move_forward", "turn_left"]));
  });

  it("NoisyAgent makes the same errors for the same seed", async () => {
    expect(await acts(0.5, 7)).toEqual(await acts(0.5, 7));
    expect(await acts(0.5, 7)).not.toEqual(await acts(0.5, 8));
  });

  it("NoisyAgent is named with its probability and wraps shortest-path by default", () => {
    expect(noisyAgentFactory.wraps?.("0.3")).toBe("shortest-path");
    expect(noisyAgentFactory.wraps?.("0.3:replay:runs/a")).toBe("replay:runs/a");
  });

  it.each([undefined, "", "x", "1.5", "-0.1", ":random"])(
    "NoisyAgent rejects the probability of noisy:%s",
    (text) => {
      expect(() => noisyAgentFactory.wraps?.(text)).toThrow("is not a probability");
    },
  );
});

describe("NoisyAgent in a run", () => {
  it("a NoisyAgent in a run is privileged if the inner agent is", async () => {
    const { lines } = await evaluate(tinyWorld(), "noisy:0");
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.every(({ outcome }) => outcome === "success")).toBe(true);
  });

  it("NoisyAgent scores worse than its inner agent", async () => {
    const actions = ["stop", "move_forward", "turn_left", "turn_right"];
    const world = tinyWorld({ config: { actions } });
    const [clean, noisy] = await Promise.all([
      evaluate(world, "noisy:0"),
      evaluate(world, "noisy:0.6"),
    ]);
    const steps = ({ lines }: typeof clean) => lines.reduce((sum, line) => sum + line.steps, 0);
    expect(steps(noisy)).toBeGreaterThan(steps(clean));
  });

  it("a NoisyAgent in a run is rejected before the run if the inner agent is unknown", async () => {
    await expect(evaluate(tinyWorld(), "noisy:0.3:nobody")).rejects.toMatchObject({
      code: "unknown_agent",
    });
  });
});

describe("agent inside a NoisyAgent", () => {
  it("the agent inside a NoisyAgent is notified of the end of the episode, and asked if it computes", async () => {
    const ends: unknown[] = [];
    const inner = {
      prepared: true,
      reset: () => {},
      act: () => "stop",
      end: (end: unknown) => void ends.push(end),
    };
    const agent = new NoisyAgent(inner, 0);
    expect(agent.prepared).toBe(true);
    const end = { episodeId: "1", reason: "stop", steps: 1 };
    await agent.end(end);
    expect(ends).toEqual([end]);
  });
});
