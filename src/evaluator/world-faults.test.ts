import { describe, expect, it } from "vitest";
import { deferred, hang, nextTurn, stopClock } from "../../test/support/clock.js";
import {
  doing,
  evaluate,
  onlyLine,
  tinyEpisode,
  tinyWorld,
} from "../../test/support/tiny-world.js";
import type { MaybePromise, SimulatorFrame } from "../core/interfaces/simulator.js";
import { NavigationSuccess } from "../metrics/navigation/success.js";
import { createRegistries } from "../registry/registries.js";
import { GraphSimulator } from "../simulator/navigation/graph.js";
import { VLNTask } from "../tasks/vln/task.js";

function fail(message: string): never {
  throw new Error(message);
}

const LIMIT_S = 5;

interface Breaking {
  readonly reset?: () => MaybePromise<SimulatorFrame>;
  readonly step?: () => MaybePromise<SimulatorFrame>;
}

describe("a simulator that fails", () => {
  /** A run on the graph simulator that breaks in the second of four episodes. */
  async function runOnBroken(
    breaking: Breaking,
    evaluation: Readonly<Record<string, unknown>> = {},
  ) {
    const registries = createRegistries();
    registries.simulators.register("broken", {
      description: "of a test",
      families: ["navigation"],
      sensors: [],
      create: (options) => {
        const graph = new GraphSimulator(options);
        let now: Breaking = {};
        return {
          actionSpace: graph.actionSpace,
          distance: graph.distance,
          privileged: graph.privileged,
          reset: (episode) => {
            now = episode.episodeId === "c-e" ? breaking : {};
            return now.reset?.() ?? graph.reset(episode);
          },
          step: (action) => now.step?.() ?? graph.step(action),
          close: () => graph.close(),
        };
      },
    });
    const world = tinyWorld({ evaluation, sections: { simulator: { backend: "broken" } } });
    return evaluate(world, "shortest-path", { registries });
  }

  it.each<[string, Breaking, string]>([
    ["in a step", { step: () => fail("GL context lost") }, "simulator_error"],
    ["on reset", { reset: () => fail("GL context lost") }, "reset_failed"],
    ["later in a step", { step: () => Promise.reject(new Error("lost")) }, "simulator_error"],
    ["by hanging in a step", { step: () => hang(LIMIT_S * 1000) }, "timeout"],
    ["by hanging on reset", { reset: () => hang(LIMIT_S * 1000) }, "timeout"],
  ])(
    "a simulator that fails %s makes the episode invalid, and the run goes on",
    async (_how, breaking, reason) => {
      stopClock();
      const { results, lines } = await runOnBroken(breaking, { timeout: LIMIT_S });
      expect(results.status).toBe("done");
      expect(results.episodes).toEqual({ total: 4, success: 3, failure: 0, invalid: 1 });
      expect(lines.find(({ episode_id }) => episode_id === "c-e")).toMatchObject({
        outcome: "invalid",
        fault: "platform",
        end_reason: reason,
        metrics: {},
      });
      const { success } = results.aggregated_metrics;
      expect(success).toMatchObject({ mean: 1, count: 3, n_invalid: 1 });
      expect(success).not.toHaveProperty("mean_without_agent_faults");
    },
  );
});

describe("a simulator that answers after the timeout", () => {
  it("a simulator that answers after the timeout does not affect the next episode", async () => {
    stopClock();
    const isNextUnderWay = deferred();
    const registries = createRegistries();
    registries.simulators.register("late", {
      description: "of a test",
      families: ["navigation"],
      sensors: [],
      create: (options) => {
        const graph = new GraphSimulator(options);
        return {
          actionSpace: graph.actionSpace,
          distance: graph.distance,
          privileged: graph.privileged,
          reset: async (episode) => {
            if (episode.episodeId === "late") {
              void hang(LIMIT_S * 1000);
              await isNextUnderWay.promise;
            }
            return graph.reset(episode);
          },
          step: (action) => graph.step(action),
          close: () => graph.close(),
        };
      },
    });
    const world = tinyWorld({
      episodes: [
        tinyEpisode("c", "c", { episodeId: "late", simParams: { timeout: LIMIT_S } }),
        tinyEpisode("a", "e"),
      ],
      config: { metrics: ["success", "path_length"] },
      sections: { simulator: { backend: "late" } },
    });
    // The first episode's reset resolves while the second one is under way.
    const way = ["goto:b", "goto:e", "stop"];
    const agent = doing(async (step) => {
      if (step === 1) {
        isNextUnderWay.resolve();
        await nextTurn();
      }
      return way[step];
    });
    const { lines } = await evaluate(world, agent, { registries });
    expect(lines).toMatchObject([
      { episode_id: "late", outcome: "invalid", fault: "platform" },
      { episode_id: "a-e", outcome: "success", metrics: { success: 1, path_length: 4 } },
    ]);
  });
});

describe("an error in the data", () => {
  it("an episode is invalid as unreachable_goal if no path leads to the goal", async () => {
    const episodes = [tinyEpisode("a", "f"), tinyEpisode("a", "d")];
    const { results, lines } = await evaluate(tinyWorld({ episodes }), "shortest-path");
    expect(lines[0]).toMatchObject({
      outcome: "invalid",
      fault: "data",
      end_reason: "unreachable_goal",
      error: { code: "unreachable_goal" },
    });
    expect(lines[1]?.outcome).toBe("success");
    expect(results.invalid_episodes).toMatchObject([
      { episode_key: "vln/tiny/a-f", fault: "data", code: "unreachable_goal" },
    ]);
  });

  it.each([
    ["no_goal", { goals: {} }],
    ["off_graph", { goals: { position: [9, 9, 9] as [number, number, number] } }],
    ["missing_scene", { sceneId: "elsewhere" }],
  ])("an error in the data is a data fault: %s", async (code, more) => {
    const world = tinyWorld({ episodes: [tinyEpisode("a", "d", more)] });
    expect(onlyLine(await evaluate(world, "random"))).toMatchObject({
      outcome: "invalid",
      fault: "data",
      error: { code },
    });
  });
});

describe("an error in a plugin", () => {
  it.each(["reset", "update", "getMetric"] as const)(
    "an episode is invalid, and the run goes on, if %s of a metric throws",
    async (method) => {
      class Broken extends NavigationSuccess {
        override readonly info = { ...new NavigationSuccess().info, name: "broken" };
      }
      Object.assign(Broken.prototype, { [method]: () => fail("bug in the metric") });
      const registries = createRegistries();
      registries.metrics.register("broken")(Broken);
      const world = tinyWorld({ config: { metrics: ["success", "broken"] } });
      const { results, lines } = await evaluate(world, "shortest-path", { registries });
      expect(results.status).toBe("done");
      expect(lines).toHaveLength(4);
      for (const line of lines) {
        expect(line).toMatchObject({ outcome: "invalid", fault: "platform" });
        expect(line.explanation).toContain("bug in the metric");
      }
    },
  );

  it.each(["endReason", "explain"] as const)(
    "an episode is invalid, and the run goes on, if %s of a task throws",
    async (method) => {
      class BrokenTask extends VLNTask {
        override get taskType(): string {
          return "broken";
        }
      }
      Object.assign(BrokenTask.prototype, { [method]: () => fail("bug in the task") });
      const registries = createRegistries();
      registries.tasks.register("broken")(BrokenTask);
      const episodes = [tinyEpisode("a", "e", { taskType: "broken" })];
      const world = tinyWorld({ episodes, type: "broken" });
      const line = onlyLine(await evaluate(world, "shortest-path", { registries }));
      expect(line).toMatchObject({ outcome: "invalid", fault: "platform" });
      expect(line.explanation).toContain("bug in the task");
    },
  );
});

describe("a task without a simulator", () => {
  it("the evaluator makes the episodes of a task without a simulator invalid and warns at the start", async () => {
    class FlyingTask extends VLNTask {
      override get taskType(): string {
        return "flying";
      }
      override get family(): string {
        return "aerial";
      }
    }
    const registries = createRegistries();
    registries.tasks.register("flying")(FlyingTask);
    const episodes = [tinyEpisode("a", "e", { taskType: "flying" })];
    const warnings: string[] = [];
    const run = await evaluate(tinyWorld({ episodes, type: "flying" }), "random", {
      registries,
      onEvent: (event) => {
        if (event.type === "started") warnings.push(...event.warnings);
      },
    });
    expect(onlyLine(run)).toMatchObject({
      outcome: "invalid",
      fault: "platform",
      end_reason: "no_simulator",
      initial_state_hash: null,
    });
    expect(warnings.join()).toContain("no simulator serves flying");
  });
});

describe("closing", () => {
  it("closing a run closes the agent of every session", async () => {
    let closed = 0;
    const agent = doing(() => "stop");
    await evaluate(tinyWorld(), () => ({ ...agent(), close: () => void closed++ }), {
      concurrency: 3,
    });
    expect(closed).toBe(3);
  });

  it("a run keeps its results if closing a simulator or an agent fails", async () => {
    const agent = doing(() => "stop");
    const { results } = await evaluate(tinyWorld(), () => ({
      ...agent(),
      close: () => fail("socket is gone"),
    }));
    expect(results.episodes.total).toBe(4);
  });
});
