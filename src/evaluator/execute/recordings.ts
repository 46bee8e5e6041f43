import { stat } from "node:fs/promises";
import { DataError } from "../../core/errors.js";
import type { Action } from "../../core/interfaces/action.js";
import type { ActionRecording } from "../../core/interfaces/agent.js";
import { resolveFormat } from "../../dataset/loader.js";
import { lineName } from "../../runs/directory/line-name.js";
import { RunDirectory } from "../../runs/directory/run-directory.js";
import { readTrajectory } from "../../runs/directory/trajectory.js";
import type { TaskPlan } from "../plan/prepare.js";
import type { SessionTools } from "./task-session.js";

/** Opens what `replay:<ref>` names: a run directory, or a submission to the task's dataset. */
export async function openRecording(
  ref: string,
  plan: TaskPlan,
  tools: SessionTools,
): Promise<ActionRecording> {
  const found = await stat(ref).catch(() => undefined);
  if (!found) {
    throw new DataError("missing_file", "no such run directory or submission", {
      where: ref,
    });
  }
  return found.isDirectory()
    ? recordedRun(ref, plan.task.name)
    : recordedSubmission(ref, plan, tools);
}

/** Keeps keys and file names in memory; steps are read when their episode runs. */
async function recordedRun(path: string, task: string): Promise<ActionRecording> {
  const run = await RunDirectory.open(path);
  const files = new Map<string, string>();
  const brokenOff = new Set<string>();
  for await (const line of run.episodes()) {
    // Invalid episodes are skipped, whoever caused them.
    if (line.task !== task || line.outcome === "invalid") continue;
    const name = lineName(line.episode_key, line.repeat);
    const file = run.trajectoryOf(line);
    if (file !== null) files.set(name, file);
    if (line.fault === "agent") brokenOff.add(name);
  }
  return {
    brokenOff: ({ episodeKey, repeat }) => brokenOff.has(lineName(episodeKey, repeat)),
    async actionsOf({ episodeKey, repeat }) {
      const file = files.get(lineName(episodeKey, repeat));
      if (file === undefined) return undefined;
      const { records } = await readTrajectory(file);
      // The simulator continues an action that takes several steps by itself.
      return records.flatMap(({ action, continued }) =>
        action === null || continued ? [] : [action],
      );
    },
  };
}

async function recordedSubmission(
  path: string,
  plan: TaskPlan,
  { registries, episodesOf }: SessionTools,
): Promise<ActionRecording> {
  const format = await resolveFormat({
    path: plan.task.dataPath,
    format: plan.dataset.format,
    formats: registries.formats,
  });
  if (!format.submission) {
    throw new DataError(
      "no_submissions",
      `the dataset format ${format.name} has no submission format`,
      {
        where: path,
        hint: "replay a run directory instead",
      },
    );
  }
  // A submission may contain more episodes than this run selects with --limit or --filter.
  const episodes = (await episodesOf?.(plan)) ?? plan.episodes;
  const wanted = new Map(episodes.map((episode) => [episode.episodeId, episode]));
  const recorded = new Map<string, readonly Action[]>();
  for await (const prediction of format.submission.predictions(path)) {
    const episode = wanted.get(prediction.episodeId);
    if (!episode) continue;
    const { steps } = await format.submission.trajectory(prediction, episode, plan.task.graphs);
    recorded.set(
      prediction.episodeId,
      steps.flatMap(({ action }) => (action === null ? [] : [action])),
    );
  }
  return { actionsOf: ({ episodeId }) => recorded.get(episodeId) };
}
