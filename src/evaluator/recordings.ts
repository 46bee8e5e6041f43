import { stat } from "node:fs/promises";
import { join } from "node:path";
import { DataError } from "../core/errors.js";
import type { Action } from "../core/interfaces/action.js";
import type { ActionRecording } from "../core/interfaces/agent.js";
import { resolveFormat } from "../dataset/loader.js";
import { lineName } from "../runs/line-name.js";
import { RunDirectory } from "../runs/run-directory.js";
import { readTrajectory } from "../runs/trajectory.js";
import type { TaskPlan } from "./prepare.js";
import type { SlotTools } from "./slot.js";

/** Opens what `replay:<ref>` names: a run directory, or a submission to the task's dataset. */
export async function openRecording(
  ref: string,
  plan: TaskPlan,
  tools: SlotTools,
): Promise<ActionRecording> {
  const found = await stat(ref).catch(() => undefined);
  if (!found) {
    throw new DataError("missing_file", "there is no such run directory or submission", {
      where: ref,
    });
  }
  return found.isDirectory()
    ? recordedRun(ref, plan.judged.name)
    : recordedSubmission(ref, plan, tools);
}

/** The task's keys and file names stay in memory, the steps are read when their episode comes. */
async function recordedRun(path: string, task: string): Promise<ActionRecording> {
  const run = await RunDirectory.open(path);
  const files = new Map<string, string>();
  const brokenOff = new Set<string>();
  for await (const line of run.episodes()) {
    // What was never judged, through whose fault ever, must not be so for having been recorded.
    if (line.task !== task || line.outcome === "invalid") continue;
    const name = lineName(line.episode_key, line.repeat);
    if (line.trajectory !== null) files.set(name, join(path, line.trajectory));
    if (line.fault === "agent") brokenOff.add(name);
  }
  return {
    brokenOff: ({ episodeKey, repeat }) => brokenOff.has(lineName(episodeKey, repeat)),
    async actionsOf({ episodeKey, repeat }) {
      const file = files.get(lineName(episodeKey, repeat));
      if (file === undefined) return undefined;
      const { records } = await readTrajectory(file);
      return records.flatMap(({ action }) => (action === null ? [] : [action]));
    },
  };
}

async function recordedSubmission(
  path: string,
  plan: TaskPlan,
  { registries, episodesOf }: SlotTools,
): Promise<ActionRecording> {
  const format = await resolveFormat({
    path: plan.judged.dataPath,
    format: plan.dataset.format,
    formats: registries.formats,
  });
  if (!format.submission) {
    throw new DataError("no_submissions", `datasets of format ${format.name} have no submissions`, {
      where: path,
      hint: "replay a run directory instead",
    });
  }
  // Only the episodes of this run count: with --limit or --filter a submission says more than is asked.
  const episodes = await episodesOf(plan);
  const wanted = new Map(episodes.map((episode) => [episode.episodeId, episode]));
  const recorded = new Map<string, readonly Action[]>();
  for await (const prediction of format.submission.predictions(path)) {
    const episode = wanted.get(prediction.episodeId);
    if (!episode) continue;
    const { steps } = await format.submission.trajectory(prediction, episode, plan.judged.graphs);
    recorded.set(
      prediction.episodeId,
      steps.flatMap(({ action }) => (action === null ? [] : [action])),
    );
  }
  return { actionsOf: ({ episodeId }) => recorded.get(episodeId) };
}
