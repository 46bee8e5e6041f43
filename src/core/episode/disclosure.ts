import type { PerturbedWorld } from "../interfaces/simulator.js";
import type { BaseTask } from "../task/base.js";
import type { BaseEpisode } from "./base.js";

/** Parts of an episode that contain the answer and may be sent to the policy. */
export type Disclosed = "goals" | "reference";

/** Default: manipulation policies get their goals, navigation policies nothing. */
export function disclosedBy(
  { family }: Pick<BaseTask, "family">,
  asked: readonly Disclosed[] | undefined,
): readonly Disclosed[] {
  return asked ?? (family === "manipulation" ? ["goals"] : []);
}

/**
 * The part of the goals that states the task. An ObjectNav policy gets the category, not the positions. An
 * ImageNav policy gets its goal image through a sensor.
 */
function question({ taskType, goals }: BaseEpisode): Readonly<Record<string, unknown>> | null {
  if (taskType !== "objectnav" || typeof goals.object_category !== "string") return null;
  return { object_category: goals.object_category };
}

/** Keys of `task_config` that are always sent; other keys may contain the answer. */
const ALWAYS_SENT = ["robot_config", "scene_objects"] as const;

/**
 * The episode as it is sent to a policy. Undisclosed fields are null, so that they are visibly absent.
 *
 * @param perturbed what the world has otherwise than the episode says
 */
export function disclose(
  episode: BaseEpisode,
  disclosed: readonly Disclosed[],
  perturbed: PerturbedWorld = {},
): Readonly<Record<string, unknown>> {
  const { goals, reference_data, task_config: own, sim_params, ...rest } = episode.toDict();
  const { start_state, scene_objects } = perturbed;
  const task_config = scene_objects ? { ...own, scene_objects } : own;
  const open = start_state
    ? { ...rest, start_state: { ...rest.start_state, ...start_state } }
    : rest;
  return {
    ...open,
    goals: disclosed.includes("goals") ? goals : question(episode),
    reference_data: disclosed.includes("reference") ? reference_data : null,
    task_config: Object.fromEntries(
      ALWAYS_SENT.filter((key) => key in task_config).map((key) => [key, task_config[key]]),
    ),
    sim_params,
  };
}
