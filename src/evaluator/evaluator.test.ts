import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { deferred, nextTurn } from "../../test/support/clock.js";
import {
  doing,
  evaluate,
  type TinyNode,
  tempDir,
  tinyEpisode,
  tinyWorld,
} from "../../test/support/tiny-world.js";
import { RandomAgent } from "../agents/random.js";
import { parseConfig } from "../config/load.js";
import type { Agent } from "../core/interfaces/agent.js";
import type { EpisodeLine, RunInfo, RunResults } from "../core/interfaces/result.js";
import { UnifiedRobotEvaluator } from "./evaluator.js";

const nodes: readonly TinyNode[] = ["a", "b", "c", "d", "e"];

/** Every way from one viewpoint to another: enough that chance shows. */
const twenty = () =>
  nodes.flatMap((from) => nodes.filter((to) => to !== from).map((to) => tinyEpisode(from, to)));

/** A line without what the clock says. */
function timeless(line: EpisodeLine) {
  const { wall_ms, sim_ms, agent_ms, agent_latency_ms, ...rest } = line;
  return rest;
}

function linesOf(runDir: string | null): EpisodeLine[] {
  const text = readFileSync(join(runDir ?? "", "episodes.jsonl"), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as EpisodeLine);
}

function infoOf({ run_dir }: RunResults): RunInfo {
  return JSON.parse(readFileSync(join(run_dir ?? "", "run.json"), "utf8")) as RunInfo;
}

describe("two runs with the same seed", () => {
  it("two runs with the same seed have equal lines except for times, and byte-equal trajectories", async () => {
    const world = tinyWorld({ episodes: twenty() });
    const runs = [
      (await evaluate(world, "random", { outDir: tempDir() })).results,
      (await evaluate(world, "random", { outDir: tempDir() })).results,
    ];
    const [first, second] = runs.map(({ run_dir }) => linesOf(run_dir).map(timeless));
    expect(first).toHaveLength(20);
    expect(second).toEqual(first);
    const [one, other] = runs.map(({ run_dir }) => {
      const folder = join(run_dir ?? "", "trajectories");
      return readdirSync(folder)
        .sort()
        .map((name) => [name, readFileSync(join(folder, name)).toString("base64")]);
    });
    expect(one).toHaveLength(20);
    expect(other).toEqual(one);
  });

  it("runs with different seeds differ", async () => {
    const world = tinyWorld({ episodes: twenty() });
    const [one, other] = [
      await evaluate(world, "random", { seed: 1 }),
      await evaluate(world, "random", { seed: 2 }),
    ];
    expect(other.lines.map(({ steps }) => steps)).not.toEqual(one.lines.map(({ steps }) => steps));
    expect(one.results.seed).toBe(1);
  });
});

/** Acts at random, in the first episode only when `mayGoOn` resolves. */
const waiting = (mayGoOn: Promise<void>) => (): Agent => {
  const random = new RandomAgent();
  let isFirst = false;
  return {
    reset: (episode) => {
      random.reset(episode);
      isFirst = episode.episodeId === "a-b";
    },
    act: async (observation) => {
      if (isFirst) await mayGoOn;
      return random.act(observation);
    },
  };
};

describe("concurrent episodes", () => {
  it("concurrent episodes give the same results as sequential ones", async () => {
    const world = tinyWorld({ episodes: twenty() });
    const alone = await evaluate(world, waiting(Promise.resolve()), { concurrency: 1 });
    const overtaken = deferred();
    const together = await evaluate(world, waiting(overtaken.promise), {
      concurrency: 4,
      onEvent: ({ type }) => type === "episode" && overtaken.resolve(),
    });
    const byKey = (lines: readonly EpisodeLine[]) =>
      lines.map(timeless).sort((a, b) => (a.episode_key < b.episode_key ? -1 : 1));
    expect(together.lines[0]?.episode_key).not.toBe(alone.lines[0]?.episode_key);
    expect(byKey(together.lines)).toEqual(byKey(alone.lines));
    expect(together.results.aggregated_metrics).toEqual(alone.results.aggregated_metrics);
    expect(together.results.per_task).toEqual(alone.results.per_task);
  });

  it("at most as many episodes run at once as concurrency says, each with an agent of its own", async () => {
    let [agents, busy, most] = [0, 0, 0];
    const allBusy = deferred();
    await evaluate(
      tinyWorld({ episodes: twenty() }),
      () => {
        agents++;
        return doing(async (step) => {
          busy++;
          most = Math.max(most, busy);
          if (busy === 3) allBusy.resolve();
          await allBusy.promise;
          await nextTurn();
          busy--;
          return step < 3 ? "turn_left" : "stop";
        })();
      },
      { concurrency: 3 },
    );
    expect(agents).toBe(3);
    expect(most).toBe(3);
  });
});

describe("a run that is cancelled", () => {
  it("a cancelled run finishes its running episodes and starts no other", async () => {
    const world = tinyWorld({ episodes: twenty() });
    const controller = new AbortController();
    const { results, lines } = await evaluate(
      world,
      doing(async (step) => {
        await nextTurn();
        return step < 5 ? "turn_left" : "stop";
      }),
      {
        outDir: tempDir(),
        concurrency: 2,
        signal: controller.signal,
        onEvent: (event) => {
          if (event.type === "episode") controller.abort();
        },
      },
    );
    expect(results.status).toBe("cancelled");
    // Both runners may be at later episodes when the first line is written.
    expect(lines.length).toBeGreaterThanOrEqual(2);
    expect(lines.length).toBeLessThan(20);
    for (const line of lines) expect(line).toMatchObject({ end_reason: "stop", steps: 6 });
    expect(results.episodes.total).toBe(lines.length);
    expect(linesOf(results.run_dir)).toEqual(lines);
    expect(infoOf(results)).toMatchObject({ status: "cancelled" });
    expect(infoOf(results).finished_at).not.toBeNull();
  });

  it("a run that was cancelled before its start runs no episode", async () => {
    const { results } = await evaluate(tinyWorld(), "random", { signal: AbortSignal.abort() });
    expect(results).toMatchObject({ status: "cancelled", episodes: { total: 0 } });
    expect(results.aggregated_metrics.success).toMatchObject({ mean: null, count: 0 });
  });

  it("a run that is cancelled during its last episode ends as done", async () => {
    const controller = new AbortController();
    const { results } = await evaluate(
      tinyWorld({ episodes: [tinyEpisode("a", "d")] }),
      doing(() => {
        controller.abort();
        return "stop";
      }),
      { signal: controller.signal },
    );
    expect(results).toMatchObject({ status: "done", episodes: { total: 1 } });
  });
});

describe("an evaluation", () => {
  it("UnifiedRobotEvaluator evaluates a benchmark given as a plain object", async () => {
    const { benchmark } = tinyWorld();
    const results = await new UnifiedRobotEvaluator(benchmark, {
      agent: "shortest-path",
      outDir: null,
    }).run();
    expect(results).toMatchObject({ run_dir: null, status: "done" });
    expect(results.aggregated_metrics.success?.mean).toBe(1);
    expect(results.aggregated_metrics.spl?.mean).toBeCloseTo(1, 12);
  });

  it("an evaluation writes to the benchmark log_dir unless outDir is given", async () => {
    const world = tinyWorld();
    const { results } = await evaluate(world, "random", { outDir: undefined });
    expect(results.run_dir?.startsWith(join(world.dir, "runs"))).toBe(true);
  });

  it("an evaluation records a configuration that is a valid benchmark and describes the run", async () => {
    const { results } = await evaluate(tinyWorld(), "shortest-path", {
      outDir: tempDir(),
      seed: 11,
      limit: 2,
      filter: "id=*",
      shard: "1/1",
    });
    const info = infoOf(results);
    expect(info).toMatchObject({
      status: "done",
      kind: "run",
      seed: 11,
      agent: "shortest-path",
      selection: { limit: 2, filter: "id=*", shard: "1/1" },
      disclosed: { vln: [] },
    });
    const again = parseConfig(stringify(info.config));
    expect(again.config.evaluation.seed).toBe(11);
    expect(again.config.agent).toBe("shortest-path");
  });

  it("an evaluation emits events for its start and each episode, with the mean so far", async () => {
    const told: string[] = [];
    await evaluate(tinyWorld(), "shortest-path", {
      onEvent: (event) => {
        if (event.type === "started") told.push(`0/${event.total}`);
        else {
          const running = event.running();
          told.push(`${event.done}/${event.total} ${running?.metric} ${running?.summary.mean}`);
        }
      },
    });
    expect(told).toEqual([
      "0/4",
      "1/4 success 1",
      "2/4 success 1",
      "3/4 success 1",
      "4/4 success 1",
    ]);
  });

  it.each([0, -1, Number.NaN])("an evaluation rejects a concurrency of %d", async (concurrency) => {
    await expect(evaluate(tinyWorld(), "random", { concurrency })).rejects.toMatchObject({
      name: "ConfigError",
    });
  });
});
