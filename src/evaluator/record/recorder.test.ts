import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { linesOf } from "../../../test/support/cli.js";
import { nextTurn } from "../../../test/support/clock.js";
import { contentOf, setAsideOf } from "../../../test/support/run-content.js";
import {
  doing,
  evaluate,
  type TinyNode,
  tinyEpisode,
  tinyWorld,
} from "../../../test/support/tiny-world.js";
import type { Agent, AgentEpisode } from "../../core/interfaces/agent.js";
import type { Observation } from "../../core/interfaces/observation.js";
import type { RunInfo, RunResults } from "../../core/interfaces/result.js";
import { hash53 } from "../../core/math/hash.js";
import { createRegistries } from "../../registry/registries.js";
import { RunDirectory } from "../../runs/directory/run-directory.js";
import { readTrajectory } from "../../runs/directory/trajectory.js";
import { GraphSimulator } from "../../simulator/navigation/graph.js";
import { resumeRun } from "../resume.js";
import type { EvaluationEvent } from "./events.js";

/** `count` episodes of the same way. */
const many = (count: number, from: TinyNode = "a", to: TinyNode = "b") =>
  Array.from({ length: count }, (_, i) =>
    tinyEpisode(from, to, { episodeId: String(i).padStart(4, "0") }),
  );

interface Ran {
  readonly results: RunResults;
  readonly path: string;
  readonly info: RunInfo;
  readonly events: readonly EvaluationEvent[];
}

async function run(
  options: Parameters<typeof tinyWorld>[0],
  agent: () => Agent,
  more: Parameters<typeof evaluate>[2] = {},
): Promise<Ran> {
  const world = tinyWorld(options);
  const events: EvaluationEvent[] = [];
  const { results } = await evaluate(world, agent, {
    outDir: join(world.dir, "runs"),
    onEvent: (event) => events.push(event),
    ...more,
  });
  const path = results.run_dir ?? "";
  return { results, path, info: await new RunDirectory(path).info(), events };
}

/** Stops at once, and refuses to begin episodes for which `refuses` is true; its argument is the number of earlier attempts. */
function picky(refuses: (episode: AgentEpisode, asked: number) => boolean): () => Agent {
  const asked = new Map<string, number>();
  return () => ({
    reset: (episode) => {
      const times = asked.get(episode.episodeKey) ?? 0;
      asked.set(episode.episodeKey, times + 1);
      if (refuses(episode, times)) throw new Error("out of order");
    },
    act: () => "stop",
  });
}

describe("with retry_invalid", () => {
  it("an invalid episode is retried before the run ends", async () => {
    const { results, path, events } = await run(
      { evaluation: { retry_invalid: 1 } },
      picky(({ episodeId }, asked) => episodeId === "c-e" && asked === 0),
    );
    expect(results).toMatchObject({ status: "done", episodes: { total: 4, invalid: 0 } });
    const lines = await linesOf(path);
    expect(lines.map(({ episode_id, attempt }) => [episode_id, attempt]).sort()).toEqual([
      ["a-d", 1],
      ["c-e", 2],
      ["d-a", 1],
      ["e-c", 1],
    ]);
    expect(await setAsideOf(path)).toMatchObject([
      { episode_id: "c-e", attempt: 1, fault: "agent", trajectory: null, why: "tried_again" },
    ]);
    const told = events.flatMap((event) => (event.type === "episode" ? [event.done] : []));
    expect(told).toEqual([1, 2, 3, 4]);
  });

  it.each([0, 1, 2])("an invalid episode is retried at most %i times", async (retry_invalid) => {
    const { results, path } = await run(
      { evaluation: { retry_invalid } },
      picky(({ episodeId }) => episodeId === "c-e"),
    );
    expect(results.episodes).toMatchObject({ total: 4, invalid: 1 });
    const line = (await linesOf(path)).find(({ outcome }) => outcome === "invalid");
    expect(line?.attempt).toBe(retry_invalid + 1);
    const aside = (await setAsideOf(path)).map(({ attempt }) => attempt);
    expect(aside).toEqual(Array.from({ length: retry_invalid }, (_, i) => i + 1));
  });

  it("an episode is retried after its simulator failed", async () => {
    const registries = createRegistries();
    let broken = false;
    registries.simulators.register("fragile", {
      description: "breaks once",
      families: ["navigation"],
      sensors: [],
      create: (options) => {
        const graph = new GraphSimulator(options);
        return {
          actionSpace: graph.actionSpace,
          distance: graph.distance,
          reset: (episode) => graph.reset(episode),
          step: (action) => {
            if (broken) return graph.step(action);
            broken = true;
            throw new Error("GL context lost");
          },
          close: () => graph.close(),
        };
      },
    });
    const { results, path } = await run(
      { evaluation: { retry_invalid: 1 }, sections: { simulator: { backend: "fragile" } } },
      picky(() => false),
      { registries },
    );
    expect(results).toMatchObject({ episodes: { total: 4, invalid: 0 }, faults: {} });
    expect(await setAsideOf(path)).toMatchObject([{ attempt: 1, fault: "platform" }]);
    const again = (await linesOf(path)).filter(({ attempt }) => attempt === 2);
    expect(again).toHaveLength(1);
    const { records } = await readTrajectory(join(path, again[0]?.trajectory ?? ""));
    expect(records).toHaveLength((again[0]?.steps ?? 0) + 1);
  });

  it("an episode with a data fault is not retried", async () => {
    const nowhere = tinyEpisode("a", "d", { episodeId: "nowhere", sceneId: "gone" });
    const { path } = await run(
      { evaluation: { retry_invalid: 2 }, episodes: [nowhere, tinyEpisode("c", "e")] },
      picky(() => false),
    );
    const lines = await linesOf(path);
    expect(lines.find(({ fault }) => fault === "data")?.attempt).toBe(1);
    expect(await setAsideOf(path)).toEqual([]);
  });
});

describe("a run whose first episodes are all invalid", () => {
  const nowhere = (count: number) =>
    many(count).map(({ episodeId }) => tinyEpisode("a", "b", { episodeId, sceneId: "gone" }));

  it("a run whose first episodes are all invalid stops with the reason, which is recorded", async () => {
    const { results, path, info } = await run(
      { episodes: nowhere(60) },
      picky(() => false),
    );
    expect(results.status).toBe("failed");
    expect(results.given_up).toMatch(
      /^the first 20 episodes are all invalid, through no fault of the agent: 20 by missing_scene, the first: .*scene "gone" has no navigation graph/,
    );
    expect(info.warnings).toEqual([`the run was given up: ${results.given_up}`]);
    expect((await linesOf(path)).length).toBeLessThanOrEqual(21);
  });

  it("a run whose first episodes are all invalid can be resumed, and stops again only after as many invalid ones", async () => {
    const limited = { episodes: nowhere(25), evaluation: { give_up_if_first_invalid: 10 } };
    const registries = createRegistries();
    const { path } = await run(
      limited,
      picky(() => false),
      { registries },
    );
    const before = (await linesOf(path)).length;
    expect(await resumeRun(path, { registries })).toMatchObject({ status: "failed" });
    expect((await linesOf(path)).length).toBeGreaterThanOrEqual(before + 10);
    expect(await resumeRun(path, { registries })).toMatchObject({ status: "done" });
  });

  it("a run whose first episodes are all invalid goes on with give_up_if_first_invalid 0", async () => {
    const never = await run(
      { episodes: nowhere(30), evaluation: { give_up_if_first_invalid: 0 } },
      picky(() => false),
    );
    expect(never.results).toMatchObject({ status: "done", episodes: { invalid: 30 } });
  });
});

describe("an agent that never answers", () => {
  it("an agent that never answers ends the run after ten consecutive episodes", async () => {
    const { results, path, info } = await run(
      { episodes: many(30) },
      picky(() => true),
    );
    expect(results.status).toBe("failed");
    expect(info.status).toBe("failed");
    expect(info.warnings).toEqual([
      "the run was given up: the agent gave no action in the last 10 episodes; last error: out of order",
    ]);
    // One more was under way while the tenth was written down.
    expect((await linesOf(path)).length).toBeLessThanOrEqual(11);
  });

  it("an agent that never answers ends the run after give_up_after episodes; an answered one resets the count", async () => {
    const skips = picky(({ episodeId }) => Number(episodeId) % 4 !== 3);
    const patient = await run({ episodes: many(12), evaluation: { give_up_after: 4 } }, skips);
    expect(patient.results).toMatchObject({ status: "done", episodes: { total: 12, invalid: 9 } });
    const hasty = await run({ episodes: many(12), evaluation: { give_up_after: 3 } }, skips);
    expect(hasty.results.status).toBe("failed");
  });

  it("an agent that never answers does not end the run with give_up_after 0", async () => {
    const { results } = await run(
      { episodes: many(25), evaluation: { give_up_after: 0 } },
      picky(() => true),
    );
    expect(results).toMatchObject({ status: "done", episodes: { invalid: 25 } });
  });

  it("a run that was given up can be resumed once the agent answers again", async () => {
    let there = false;
    const registries = createRegistries();
    const { path } = await run(
      { episodes: many(30) },
      picky(() => !there),
      { registries },
    );
    there = true;
    const results = await resumeRun(path, { retryInvalid: true, registries });
    expect(results).toMatchObject({ status: "done", episodes: { total: 30, invalid: 0 } });
    expect((await new RunDirectory(path).info()).warnings).toEqual([]);
  });

  it("an agent that fails in mid-episode does not count as unanswered", async () => {
    const { results } = await run(
      { episodes: many(15) },
      doing((step) => {
        if (step > 0) throw new Error("tired");
        return "turn_left";
      }),
    );
    expect(results).toMatchObject({ status: "done", episodes: { failure: 15 } });
  });
});

describe("with early_stop", () => {
  /** Starts near the goal and stops there, but first walks away in one of `oneIn(task)` episodes. */
  const strays = (oneIn: (task: string) => number) =>
    doing((step, { episodeKey }) => {
      const [task = ""] = episodeKey.split("/");
      return step === 0 && hash53(episodeKey) % oneIn(task) === 0 ? "goto:c" : "stop";
    });
  const skilled = () => strays(() => 10);
  /** The same, but asynchronous, so that other episodes advance meanwhile. */
  const pensive = () => () => {
    const agent = skilled()();
    return { ...agent, act: (seen: Observation) => nextTurn().then(() => agent.act(seen)) };
  };
  const OPTIONS = {
    episodes: many(500, "b", "e"),
    evaluation: { early_stop: { half_width: 0.1, min_episodes: 20 } },
  };

  it("a run ends at the requested precision and records it", async () => {
    const { results, path, events } = await run(OPTIONS, skilled());
    const { early_stop, per_task, episodes } = results;
    const counted = early_stop?.vln?.counted ?? 0;
    expect(early_stop).toEqual({
      vln: { metric: "success", half_width: 0.1, reached: true, counted, of: 500 },
    });
    expect(counted).toBeGreaterThanOrEqual(20);
    expect(counted).toBeLessThan(500);
    expect(episodes.total).toBe(counted);
    expect(episodes.failure).toBeGreaterThan(0);
    const { ci95, ci_method, count } = per_task.vln?.success ?? {};
    expect({ ci_method, count }).toEqual({ ci_method: "sequential", count: counted });
    const [low, high] = ci95 ?? [0, 1];
    expect(high - low).toBeLessThanOrEqual(0.2);
    expect(await linesOf(path)).toHaveLength(counted);
    const [last] = events.slice(-1);
    expect(last).toMatchObject({ done: counted, total: counted });
  });

  it("results that arrive after the stop are set aside", async () => {
    const alone = await run(OPTIONS, skilled());
    const { results, path } = await run(OPTIONS, pensive(), { concurrency: 5 });
    const { counted = 0 } = results.early_stop?.vln ?? {};
    expect(await linesOf(path)).toHaveLength(counted);
    const beyond = await setAsideOf(path);
    expect(beyond.length).toBeGreaterThan(0);
    for (const line of beyond) expect(line).toMatchObject({ why: "after_early_stop" });
    expect((await contentOf(path)).lines).toEqual((await contentOf(alone.path)).lines);
    expect((await contentOf(path)).summary).toEqual((await contentOf(alone.path)).summary);
  });

  it("an interrupted and resumed run stops at the same episode", async () => {
    const alone = await run(OPTIONS, skilled());
    const stop = new AbortController();
    const registries = createRegistries();
    let ended = 0;
    const { path } = await run(OPTIONS, skilled(), {
      registries,
      signal: stop.signal,
      concurrency: 3,
      onEvent: ({ type }) => type === "episode" && ++ended === 30 && stop.abort(),
    });
    const results = await resumeRun(path, { registries, concurrency: 2 });
    expect(results.early_stop).toEqual(alone.results.early_stop);
    expect(await contentOf(path)).toEqual(await contentOf(alone.path));
    // And once more: there is nothing to do.
    expect(await resumeRun(path, { registries })).toMatchObject({
      status: "done",
      early_stop: alone.results.early_stop,
    });
    expect(await contentOf(path)).toEqual(await contentOf(alone.path));
  });

  it("all episodes count and the interval is sequential if the precision is not reached", async () => {
    const { results } = await run({ ...OPTIONS, episodes: many(25, "b", "e") }, skilled());
    expect(results.early_stop).toMatchObject({ vln: { reached: false, counted: 25, of: 25 } });
    expect(results.per_task.vln?.success).toMatchObject({ count: 25, ci_method: "sequential" });
  });

  it("each task stops independently", async () => {
    const { results } = await run(
      { ...OPTIONS, tasks: ["vln", "other"] },
      strays((task) => (task === "other" ? 2 : 10)),
    );
    const { vln, other } = results.early_stop ?? {};
    expect(vln).toMatchObject({ reached: true });
    expect(other).toMatchObject({ reached: true });
    expect(vln?.counted).toBeLessThan(other?.counted ?? 0);
  });
});
