import { isTaskSection, taskNameOf } from "../../../config/schema.js";
import { BaseEpisode } from "../../../core/episode/base.js";
import { DataError } from "../../../core/errors.js";
import type { EpisodeLine, RunInfo } from "../../../core/interfaces/result.js";
import { isRecord } from "../../../core/record.js";
import type { TaskPlan } from "../../../evaluator/prepare.js";
import { comparedLine } from "../../../evaluator/replay/compared-line.js";
import { replayPlan } from "../../../evaluator/replay/replay-plan.js";
import type { RunDirectory } from "../../../runs/run-directory.js";
import { readTrajectory, type Trajectory } from "../../../runs/trajectory.js";

/** The trajectory of a line; undefined where none was saved. */
export async function trajectoryOf(
  run: RunDirectory,
  line: EpisodeLine,
): Promise<Trajectory | undefined> {
  const file = run.trajectoryOf(line);
  if (file === null) return undefined;
  const trajectory = await readTrajectory(file);
  if (trajectory.records[0]?.action === null) return trajectory;
  throw new DataError("damaged_trajectory", "the trajectory does not begin with a reset", {
    where: `${file}:2`,
  });
}

/**
 * The plan of the one task that a line is of, as the run had it. The other tasks are left out: their data
 * may be gone, and would be read for nothing.
 */
export async function planOf(
  run: RunDirectory,
  info: RunInfo,
  line: EpisodeLine,
  trajectory: Trajectory | undefined,
): Promise<TaskPlan> {
  const job = { task: line.task, repeat: line.repeat, attempt: line.attempt };
  const episode = trajectory?.episode ?? sceneOnly(line);
  const recorded = {
    total: 1,
    episodes: [
      { line: comparedLine(line), job: { ...job, episode }, file: run.trajectoryOf(line) ?? "" },
    ],
    damaged: [],
    skipped: [],
    // What the cameras were is needed here.
    namesSensors: true,
  };
  const plan = await replayPlan(run, { ...info, config: onlyTask(info, line.task) }, recorded, {});
  const [task] = plan.tasks;
  if (task) return task;
  throw new DataError("unknown_task", `the run's benchmark has no task ${line.task}`, {
    where: run.file("info"),
  });
}

/** Enough of an episode to look at where it was. */
function sceneOnly({ episode_id, task_type, scene_id }: EpisodeLine): BaseEpisode {
  return new BaseEpisode({ episodeId: episode_id, taskType: task_type, sceneId: scene_id });
}

function onlyTask({ config }: RunInfo, task: string): RunInfo["config"] {
  const datasets = isRecord(config.dataset) ? config.dataset : {};
  const entries = Object.entries(config).filter(
    ([key]) => !isTaskSection(key) || taskNameOf(key) === task,
  );
  return {
    ...Object.fromEntries(entries),
    dataset: Object.fromEntries(Object.entries(datasets).filter(([name]) => name === task)),
  };
}
