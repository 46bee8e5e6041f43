import { episodeKey } from "../core/episode/base.js";
import { hash53 } from "../core/math/hash.js";
import type { RunPlan, TaskPlan } from "./prepare.js";
import { firstRun, type Job } from "./queue.js";

/**
 * All that a plan has to run, in its order: task by task, and each task's first run of every episode
 * before any second one, so that a run that is cut short has seen as much as it could. A task that may
 * stop early has its episodes drawn by lot, with the repeats of one together: what is known of the
 * first of them is then known of all.
 */
export function jobsOf({ tasks, loaded, seed }: RunPlan): Job[] {
  const { repeats, early_stop } = loaded.config.evaluation;
  return tasks.flatMap((task) => {
    const times = Array.from({ length: repeats }, (_, repeat) => repeat);
    if (early_stop) {
      return byLot(task, seed).flatMap((job) => times.map((repeat) => ({ ...job, repeat })));
    }
    return times.flatMap((repeat) => jobsFor(task).map((job) => ({ ...job, repeat })));
  });
}

function jobsFor({ judged, episodes }: TaskPlan): Job[] {
  return episodes.map((episode) => firstRun(judged.name, episode));
}

function byLot(task: TaskPlan, seed: number): Job[] {
  const lots = jobsFor(task).map((job) => {
    const key = keyOf(job);
    return { job, key, lot: hash53(`early stop ${seed} ${key}`) };
  });
  lots.sort((a, b) => a.lot - b.lot || (a.key < b.key ? -1 : 1));
  return lots.map(({ job }) => job);
}

export function keyOf({ task, episode }: Job): string {
  return episodeKey(task, episode.sceneId, episode.episodeId);
}
