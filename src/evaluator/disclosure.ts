import type { BaseEpisode } from "../core/episode/base.js";
import type { BaseTask } from "../core/task/base.js";

/** What of the answer a policy may be told. */
export type Disclosed = "goals" | "reference";

/** Manipulation policies are told their goal, navigation policies nothing: it is what they must find. */
export function disclosedBy(
  task: BaseTask,
  asked: readonly Disclosed[] | undefined,
): readonly Disclosed[] {
  return asked ?? (task.family === "manipulation" ? ["goals"] : []);
}

/**
 * What is asked rather than answered. An ObjectNav policy must know what to look for; where such things are
 * stays out of it. An ImageNav policy is asked by a picture, which is a sensor's to show.
 */
function question({ taskType, goals }: BaseEpisode): Readonly<Record<string, unknown>> | null {
  if (taskType !== "objectnav" || typeof goals.object_category !== "string") return null;
  return { object_category: goals.object_category };
}

/** Parts of `task_config` that describe the robot and its world; anything else may hold the answer. */
const HARMLESS = ["robot_config", "scene_objects"] as const;

/** The episode as a policy gets it: what is not disclosed is null, so that its absence is visible. */
export function disclose(
  episode: BaseEpisode,
  disclosed: readonly Disclosed[],
): Readonly<Record<string, unknown>> {
  const { goals, reference_data, task_config, sim_params, ...open } = episode.toDict();
  return {
    ...open,
    goals: disclosed.includes("goals") ? goals : question(episode),
    reference_data: disclosed.includes("reference") ? reference_data : null,
    task_config: Object.fromEntries(
      HARMLESS.filter((key) => key in task_config).map((key) => [key, task_config[key]]),
    ),
    sim_params,
  };
}
