import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { hang, stopClock } from "../../test/support/clock.js";
import {
  doing,
  evaluate,
  onlyLine,
  tempDir,
  tinyEpisode,
  tinyWorld,
} from "../../test/support/tiny-world.js";
import { ShortestPathAgent } from "../agents/shortest-path.js";
import { StopRunError } from "../core/errors.js";
import type { Action } from "../core/interfaces/action.js";
import type { AgentEpisode, AgentFactory } from "../core/interfaces/agent.js";

function fail(message = "out of memory"): never {
  throw new Error(message);
}

const LIMIT_S = 5;
const hangs = () => hang(LIMIT_S * 1000);

const oneEpisode = (more: Parameters<typeof tinyWorld>[0] = {}) =>
  tinyWorld({ episodes: [tinyEpisode("a", "e")], ...more });

describe("an agent that never gave a first action", () => {
  it.each([
    [
      "it fails when told of the episode",
      { reset: () => fail(), act: () => "stop" },
      "agent_not_ready",
    ],
    ["it fails when first asked", { reset: () => {}, act: () => fail() }, "agent_error"],
  ])(
    "an agent without a first action makes the episode invalid with an agent fault: %s",
    async (_how, agent, reason) => {
      const { results, lines } = await evaluate(tinyWorld(), () => agent);
      for (const line of lines) {
        expect(line).toMatchObject({
          outcome: "invalid",
          fault: "agent",
          end_reason: reason,
          metrics: {},
          steps: 0,
        });
        expect(line.explanation).toContain("out of memory");
      }
      expect(results.episodes).toEqual({ total: 4, success: 0, failure: 0, invalid: 4 });
      expect(results.faults).toEqual({ agent: 4 });
      expect(results.aggregated_metrics.success).toMatchObject({
        mean: null,
        count: 0,
        n_invalid: 4,
      });
      expect(results.invalid_episodes).toHaveLength(4);
    },
  );

  it.each([
    ["it still thinks", doing(hangs)],
    ["it is never ready", () => ({ reset: hangs, act: () => "stop" })],
  ])(
    "an agent without a first action in time makes the episode invalid: %s",
    async (_how, agent) => {
      stopClock();
      const world = oneEpisode({ evaluation: { timeout: LIMIT_S } });
      expect(onlyLine(await evaluate(world, agent))).toMatchObject({
        outcome: "invalid",
        fault: "agent",
        end_reason: "timeout",
        error: { code: "timeout" },
      });
    },
  );
});

/** Follows the shortest way, and breaks off one of the four episodes where it should say stop. */
class Unreliable extends ShortestPathAgent {
  #hangsUp = false;

  override reset(episode: AgentEpisode): void {
    super.reset(episode);
    this.#hangsUp = episode.episodeId === "d-a";
  }

  override act(): Action {
    const action = super.act();
    return this.#hangsUp && action === "stop" ? fail() : action;
  }
}

const unreliable: AgentFactory = {
  description: "of a test",
  privileged: true,
  create: () => new Unreliable(),
};

describe("an agent that fails after its first action", () => {
  const hangsUpOnTheGoal = doing((step) => ["goto:b", "goto:e"][step] ?? fail("connection lost"));

  it("an agent that fails after its first action fails the episode, even at the goal", async () => {
    const line = onlyLine(await evaluate(oneEpisode(), hangsUpOnTheGoal));
    expect(line).toMatchObject({
      outcome: "failure",
      fault: "agent",
      end_reason: "agent_error",
      steps: 2,
      metrics: { success: 0, spl: 0 },
    });
    expect(line.explanation).toBe("the agent failed after 2 steps: connection lost");
  });

  it("an episode that the agent broke off keeps metrics that do not depend on success", async () => {
    const metrics = ["success", "navigation_error", "path_length"];
    const run = await evaluate(oneEpisode({ config: { metrics } }), hangsUpOnTheGoal);
    expect(onlyLine(run).metrics).toEqual({ success: 0, navigation_error: 0, path_length: 4 });
  });

  it("the success rate counts episodes that the agent broke off, and the rate without them is reported as well", async () => {
    const { results } = await evaluate(tinyWorld(), unreliable);
    expect(results.episodes).toEqual({ total: 4, success: 3, failure: 1, invalid: 0 });
    for (const metric of ["success", "spl"]) {
      expect(results.aggregated_metrics[metric]).toMatchObject({
        mean: 0.75,
        count: 4,
        n_invalid: 0,
        mean_without_agent_faults: 1,
      });
    }
    expect(results.faults).toEqual({ agent: 1 });
  });

  it("the rate without broken-off episodes is reported when two tasks share the metric", async () => {
    const world = tinyWorld({ tasks: ["vln", "second"] });
    const { results } = await evaluate(world, unreliable);
    expect(results.aggregated_metrics.success).toMatchObject({
      mean: 0.75,
      count: 8,
      pooling: "macro",
      mean_without_agent_faults: 1,
    });
  });

  it("an agent that stops answering fails the episode by timeout", async () => {
    stopClock();
    const world = oneEpisode({ evaluation: { timeout: LIMIT_S } });
    const agent = doing((step) => (step === 0 ? "goto:b" : hangs()));
    expect(onlyLine(await evaluate(world, agent))).toMatchObject({
      outcome: "failure",
      fault: "agent",
      end_reason: "timeout",
      steps: 1,
    });
  });

  it("an agent that blocks the thread past the limit fails the episode by timeout", async () => {
    stopClock();
    const world = oneEpisode({ evaluation: { timeout: LIMIT_S } });
    const busy = doing(() => {
      vi.advanceTimersByTime(LIMIT_S * 1000 + 1);
      return "turn_left";
    });
    expect(onlyLine(await evaluate(world, busy))).toMatchObject({
      outcome: "failure",
      fault: "agent",
      end_reason: "timeout",
    });
  });
});

describe("an agent that sends an invalid action", () => {
  it.each([
    ["a name that is none", "fly"],
    ["a number", 42],
    ["a vector", [0, 1]],
    ["nothing", undefined],
    ["null", null],
    ["an empty record", {}],
    ["a number that JSON cannot hold", 10n],
    ["a viewpoint that is no neighbour", "goto:d"],
  ])("an invalid action fails the episode, even at the first step: %s", async (_what, action) => {
    for (const at of [0, 1]) {
      const agent = doing((step) => (step < at ? "turn_left" : action));
      expect(onlyLine(await evaluate(oneEpisode(), agent))).toMatchObject({
        outcome: "failure",
        fault: "agent",
        end_reason: "bad_action",
        steps: at,
        metrics: { success: 0, spl: 0 },
        error: { code: "bad_action" },
      });
    }
  });

  it("the error of an invalid action lists the valid ones", async () => {
    const lost = onlyLine(
      await evaluate(
        oneEpisode(),
        doing(() => "goto:d"),
      ),
    );
    expect(lost.explanation).toContain("goto:d does not name a neighbour of viewpoint a");
    expect(lost.explanation).toContain("valid now: b");
    const misspelt = onlyLine(
      await evaluate(
        oneEpisode(),
        doing(() => "turn_lef"),
      ),
    );
    expect(misspelt.explanation).toContain('did you mean "turn_left"?');
  });
});

describe("a policy that disconnects before it fails", () => {
  /** Goes two steps and looks where it is; `onFailing` is what it does if that is the wrong place. */
  function wandering(onFailing: () => Action): AgentFactory {
    const nearGoal = ({ privileged: view }: AgentEpisode) =>
      view?.goals().some((goal) => view.distance(view.place(), goal) < 3);
    return {
      description: "of a test",
      privileged: true,
      create: doing((step, told) => {
        if (step < 2)
          return told.episodeId.startsWith("a") ? ["goto:b", "goto:e"][step] : "turn_left";
        return nearGoal(told) ? "stop" : onFailing();
      }),
    };
  }

  it("a policy that disconnects before it fails gains no higher success rate", async () => {
    const episodes = (["a", "b", "c", "d", "e"] as const).flatMap((from) =>
      (["a", "c", "d", "e"] as const).map((to) => tinyEpisode(from, to)),
    );
    const honest = (
      await evaluate(
        tinyWorld({ episodes }),
        wandering(() => "stop"),
      )
    ).results;
    const sly = (
      await evaluate(
        tinyWorld({ episodes }),
        wandering(() => fail()),
      )
    ).results;
    expect(honest.episodes.success).toBeGreaterThan(0);
    expect(honest.episodes.failure).toBeGreaterThan(0);
    expect(sly.episodes).toEqual(honest.episodes);
    for (const metric of ["success", "spl"]) {
      const { mean, count, ci95 } = honest.aggregated_metrics[metric] ?? {};
      expect(sly.aggregated_metrics[metric]).toMatchObject({ mean, count, ci95 });
    }
  });
});

describe("log.jsonl", () => {
  it("log.jsonl has each fault with its stack between the start and the end of the run", async () => {
    const agent = doing(() => {
      throw new Error("out of memory");
    });
    const world = tinyWorld({ episodes: [tinyEpisode("a", "e")] });
    const { results } = await evaluate(world, agent, { outDir: tempDir() });
    const log = readFileSync(join(results.run_dir ?? "", "log.jsonl"), "utf8").trimEnd();
    const entries = log.split("\n").map((line) => JSON.parse(line));
    expect(entries.map(({ event }) => event)).toEqual([
      "run_started",
      "episode_fault",
      "run_finished",
    ]);
    expect(entries[1]).toMatchObject({
      level: "error",
      episode_key: "vln/tiny/a-e",
      fault: "agent",
      error: expect.stringMatching(/out of memory\n\s+at /),
    });
  });
});

describe("an agent that timed out and cannot be reopened", () => {
  it("an agent that cannot be reopened makes episodes invalid until it can, and the run goes on", async () => {
    stopClock();
    let made = 0;
    const { lines } = await evaluate(tinyWorld({ evaluation: { timeout: LIMIT_S } }), () => {
      made++;
      if (made === 2 || made === 3) fail("the policy is gone");
      return made === 1 ? { reset: () => {}, act: hangs } : { reset: () => {}, act: () => "stop" };
    });
    expect(lines.map(({ outcome, end_reason }) => [outcome, end_reason])).toEqual([
      ["invalid", "timeout"],
      ["invalid", "agent_not_ready"],
      ["failure", "stop"],
      ["failure", "stop"],
    ]);
    expect(lines[1]?.explanation).toContain("the policy is gone");
  });
});

describe("an agent that throws StopRunError", () => {
  it("an agent that throws StopRunError ends the run with its error", async () => {
    const hopeless = () => {
      throw new StopRunError("missing_sensor", "the task has no such sensor");
    };
    const run = evaluate(tinyWorld(), () => ({ reset: hopeless, act: () => "stop" }));
    await expect(run).rejects.toMatchObject({ code: "missing_sensor" });
  });
});
