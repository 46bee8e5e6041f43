import { episodeKey } from "../../core/episode/base.js";
import { lineName } from "../../runs/directory/line-name.js";
import { drawnRank } from "../../runs/summary/drawn-rank.js";
import type { RunPlan, TaskPlan } from "./prepare.js";
import { firstRun, type Job } from "./queue.js";

/**
 * All jobs of a plan, task by task. Within a task every episode runs once before any repeat, so that a
 * cancelled run has covered as many episodes as possible. With early stopping and in a duel, episodes come in random
 * order with their repeats together.
 */
export function jobsOf({ tasks, loaded, seed, drawsOrder }: RunPlan): Job[] {
  const { repeats } = loaded.config.evaluation;
  return tasks.flatMap((task) => {
    const times = Array.from({ length: repeats }, (_, repeat) => repeat);
    if (drawsOrder) {
      return inRandomOrder(task, seed).flatMap((job) =>
        times.map((repeat) => ({ ...job, repeat })),
      );
    }
    return times.flatMap((repeat) => jobsFor(task).map((job) => ({ ...job, repeat })));
  });
}

function jobsFor({ task, episodes }: TaskPlan): Job[] {
  return episodes.map((episode) => firstRun(task.name, episode));
}

function inRandomOrder(task: TaskPlan, seed: number): Job[] {
  const drawn = jobsFor(task).map((job) => {
    const key = keyOf(job);
    return { job, key, rank: drawnRank(seed, key) };
  });
  drawn.sort((a, b) => a.rank - b.rank || (a.key < b.key ? -1 : 1));
  return drawn.map(({ job }) => job);
}

/** The episode keys of a task, in the order of its jobs. */
export function keysOf(jobs: readonly Job[], task: string): readonly string[] {
  return [...new Set(jobs.filter((job) => job.task === task).map(keyOf))];
}

/** Name of the job's line in episodes.jsonl. */
export function lineNameOf(job: Job): string {
  return lineName(keyOf(job), job.repeat);
}

export function keyOf({ task, episode }: Job): string {
  return episodeKey(task, episode.sceneId, episode.episodeId);
}
