import { describe, expect, it, vi } from "vitest";
import { stringify } from "yaml";
import { deferred, nextTurn } from "../../../test/support/clock.js";
import { tinyEpisode, tinyWorld } from "../../../test/support/tiny-world.js";
import { parseConfig } from "../../config/load.js";
import type { Agent } from "../../core/interfaces/agent.js";
import { createRegistries } from "../../registry/registries.js";
import { jobsOf } from "../plan/jobs.js";
import { prepareRun } from "../plan/prepare.js";
import { Scheduler, type SchedulerOptions } from "./scheduler.js";

const manyEpisodes = (count: number) =>
  Array.from({ length: count }, (_, i) => tinyEpisode("a", "b", { episodeId: String(i) }));
const EPISODES = manyEpisodes(8);

/** An evaluation of episodes whose agent stops at once, when `act` lets it. */
async function open(
  act: (episode: string) => Promise<void> = () => Promise.resolve(),
  options: Partial<SchedulerOptions> = {},
  episodes = EPISODES,
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
  const { benchmark } = tinyWorld({ episodes });
  const config = parseConfig(stringify(benchmark), { file: "benchmark.yaml" });
  const plan = await prepareRun(config, { registries, agent: "of-test" });
  const jobs = jobsOf(plan);
  const evaluation = await Scheduler.open(plan, jobs, {
    workers: 1,
    savesTrajectories: false,
    registries,
    ...options,
  });
  return { evaluation, begun, jobs };
}

const ids = EPISODES.map(({ episodeId }) => episodeId);

describe("the scheduler", () => {
  it.each([1, 3, 20])(
    "the scheduler hands over each episode once, with %i under way at once",
    async (concurrency) => {
      const { evaluation } = await open(undefined, { concurrency: concurrency });
      const kept: string[] = [];
      await evaluation.run(async ({ line }, job) => {
        expect(line.episode_id).toBe(job.episode.episodeId);
        kept.push(line.episode_id);
      });
      expect(kept.sort()).toEqual(ids);
      expect(evaluation.queue.size).toBe(0);
      await evaluation.close();
    },
  );

  it("the scheduler runs a job that is put back into the queue, even the last one", async () => {
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

  it("the scheduler ends with the error of a failed save and starts no further episode", async () => {
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

  it("the scheduler finishes the running episodes when it is aborted", async () => {
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

  it("the scheduler runs the next episodes while at most 64 results are being saved", async () => {
    const most = 64;
    const episodes = manyEpisodes(most + 6);
    const { evaluation, begun } = await open(undefined, {}, episodes);
    const written = deferred();
    let writing = 0;
    await evaluation.run(async () => {
      // Nothing is written down before so many wait for it.
      if (++writing === most) {
        for (let turn = 0; turn < 10; turn++) await nextTurn();
        expect(begun.length).toBeLessThanOrEqual(most + 1);
        expect(writing).toBe(most);
        written.resolve();
      }
      await written.promise;
    });
    expect(writing).toBe(episodes.length);
    await evaluation.close();
  });

  it("the scheduler saves the result of a long episode before it runs the next one", async () => {
    let clockMs = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => {
      clockMs += 1000;
      return clockMs;
    });
    const { evaluation, begun } = await open();
    const written = deferred();
    const begunAtSaves: number[] = [];
    const run = evaluation.run(async () => {
      begunAtSaves.push(begun.length);
      await written.promise;
    });
    while (begunAtSaves.length === 0) await nextTurn();
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    expect(begunAtSaves).toEqual([1]);
    written.resolve();
    await run;
    clock.mockRestore();
    expect(begunAtSaves).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    await evaluation.close();
  });
});
