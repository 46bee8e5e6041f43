import { isTaskSection, taskNameOf } from "../../../config/schema.js";
import { DataError } from "../../../core/errors.js";
import type { EpisodeLine, RunInfo } from "../../../core/interfaces/result.js";
import { isRecord } from "../../../core/record.js";
import { comparedLine } from "../../../evaluator/check/replay/compared-line.js";
import { replayPlan } from "../../../evaluator/check/replay/replay-plan.js";
import type { TaskPlan } from "../../../evaluator/plan/prepare.js";
import type { RunDirectory } from "../../../runs/directory/run-directory.js";
import { readTrajectory, type Trajectory } from "../../../runs/directory/trajectory.js";
import { bareEpisode } from "../episode-id.js";
import type { ViewPermissions } from "../view-permissions.js";

/** The trajectory of a line; undefined if none was saved. */
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
 * The plan of a line's task, as in the run. Other tasks are left out, because their data may be missing and is not
 * needed.
 */
export async function planOf(
  run: RunDirectory,
  info: RunInfo,
  line: EpisodeLine,
  trajectory: Trajectory | undefined,
  permissions: ViewPermissions,
): Promise<TaskPlan> {
  if (isRecord(info.config.simulator) && info.config.simulator.backend === "remote") {
    throw new DataError(
      "no_world",
      "the simulator sent no geometry, so the world cannot be shown",
      { where: run.path },
    );
  }
  const job = { task: line.task, repeat: line.repeat, attempt: line.attempt };
  const episode = trajectory?.episode ?? bareEpisode(line);
  const recorded = {
    total: 1,
    episodes: [
      { line: comparedLine(line), job: { ...job, episode }, file: run.trajectoryOf(line) ?? "" },
    ],
    damaged: [],
    skipped: [],
    // The cameras are needed here.
    namesSensors: true,
    tasksOnGraphs: new Set<string>(),
  };
  const plan = await replayPlan(run, info, recorded, permissions, {
    // The dashboard never starts an external simulator.
    uses: ["plugins", "scenes", "graphs"],
    change: (config) => onlyTask(config, line.task),
  });
  const [task] = plan.tasks;
  if (task) return task;
  throw new DataError("unknown_task", `the run's benchmark has no task ${line.task}`, {
    where: run.file("info"),
  });
}

function onlyTask(config: RunInfo["config"], task: string): RunInfo["config"] {
  const datasets = isRecord(config.dataset) ? config.dataset : {};
  const entries = Object.entries(config).filter(
    ([key]) => !isTaskSection(key) || taskNameOf(key) === task,
  );
  return {
    ...Object.fromEntries(entries),
    dataset: Object.fromEntries(Object.entries(datasets).filter(([name]) => name === task)),
  };
}
