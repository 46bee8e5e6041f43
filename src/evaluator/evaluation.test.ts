import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { tinyEpisode, tinyWorld } from "../../test/support/tiny-world.js";
import { parseConfig } from "../config/load.js";
import type { Agent } from "../core/interfaces/agent.js";
import { createRegistries } from "../registry/registries.js";
import { Evaluation, type EvaluationOptions } from "./evaluation.js";
import { jobsOf } from "./jobs.js";
import { prepareRun } from "./prepare.js";

const EPISODES = Array.from({ length: 8 }, (_, i) =>
  tinyEpisode("a", "b", { episodeId: String(i) }),
);

/** An evaluation of eight episodes whose agent stops at once, when `act` lets it. */
async function open(
  act: (episode: string) => Promise<void> = () => Promise.resolve(),
  options: Partial<EvaluationOptions> = {},
) {
  const registries = createRegistries();
  const begun: string[] = [];
  registries.agents.register("of-test", {
    description: "of a test",
    create: (): Agent => {
      let id = "";
      return {
        reset: ({ episodeId }) => {
          id = episodeId;
          begun.push(id);
        },
        act: async () => {
          await act(id);
          return "stop";
        },
      };
    },
  });
  const { benchmark } = tinyWorld({ episodes: EPISODES });
  const config = parseConfig(stringify(benchmark), { file: "benchmark.yaml" });
  const plan = await prepareRun(config, { registries, agent: "of-test" });
  const jobs = jobsOf(plan);
  const evaluation = await Evaluation.open(plan, jobs, {
    workers: 1,
    savesTrajectories: false,
    registries,
    ...options,
  });
  return { evaluation, begun, jobs };
}

const ids = EPISODES.map(({ episodeId }) => episodeId);

describe("an evaluation", () => {
  it.each([1, 3, 20])("hands over each episode once, with %i under way at once", async (lanes) => {
    const { evaluation } = await open(undefined, { concurrency: lanes });
    const kept: string[] = [];
    await evaluation.run(async ({ line }, job) => {
      expect(line.episode_id).toBe(job.episode.episodeId);
      kept.push(line.episode_id);
    });
    expect(kept.sort()).toEqual(ids);
    expect(evaluation.queue.size).toBe(0);
    await evaluation.close();
  });

  it("hands over what is put back into the queue, even when it was the last", async () => {
    const { evaluation } = await open();
    const kept: string[] = [];
    await evaluation.run(async ({ line }, job) => {
      kept.push(`${line.episode_id} ${line.attempt}`);
      if (line.episode_id === "7" && line.attempt < 3) {
        evaluation.queue.add({ ...job, attempt: line.attempt + 1 });
      }
    });
    expect(kept.filter((name) => name.startsWith("7"))).toEqual(["7 1", "7 2", "7 3"]);
    expect(kept).toHaveLength(10);
    await evaluation.close();
  });

  it("ends with what goes wrong in keeping a result, and begins nothing more", async () => {
    const { evaluation, begun } = await open(undefined, { concurrency: 2 });
    let kept = 0;
    const run = evaluation.run(async () => {
      if (++kept === 2) throw new Error("the disk is full");
    });
    await expect(run).rejects.toThrow("the disk is full");
    const then = begun.length;
    await evaluation.close();
    expect(begun.length).toBe(then);
    expect(then).toBeLessThan(ids.length);
  });

  it("lets what is under way end when it is interrupted", async () => {
    const stop = new AbortController();
    const { evaluation, begun } = await open(
      async (episode) => {
        if (episode === "3") stop.abort();
      },
      { concurrency: 2 },
    );
    const kept: string[] = [];
    await evaluation.run(async ({ line }) => {
      kept.push(line.episode_id);
    }, stop.signal);
    expect(kept.sort()).toEqual([...begun].sort());
    expect(kept).toContain("3");
    expect(evaluation.queue.size).toBe(ids.length - begun.length);
    expect(evaluation.queue.size).toBeGreaterThan(0);
    await evaluation.close();
  });

  it("runs the next episodes while the last are written down, eight of them at most", async () => {
    const { evaluation, begun } = await open();
    let [writing, most] = [0, 0];
    await evaluation.run(async () => {
      most = Math.max(most, ++writing);
      const before = begun.length;
      await new Promise((done) => setTimeout(done, 5));
      expect(begun.length - before).toBeLessThanOrEqual(9);
      writing--;
    });
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(8);
    await evaluation.close();
  });
});
