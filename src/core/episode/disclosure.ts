import type { PerturbedWorld } from "../interfaces/simulator.js";
import { isRecord } from "../record.js";
import type { BaseTask } from "../task/base.js";
import type { BaseEpisode } from "./base.js";
import type { Goals } from "./schemas.js";

/** Parts of an episode that contain the answer and may be sent to the policy. */
export type Disclosed = "goals" | "reference";

/** Default: policies that search get nothing, other manipulation policies their goals. */
export function disclosedBy(
  { family, taskType }: Pick<BaseTask, "family" | "taskType">,
  asked: readonly Disclosed[] | undefined,
): readonly Disclosed[] {
  return asked ?? (family === "manipulation" && !isSearch(taskType) ? ["goals"] : []);
}

type Question = Readonly<Record<string, unknown>> | null;

/**
 * The part of the goals that states the task, for tasks whose policies search: categories, not names and positions. An
 * ImageNav policy gets its goal image through a sensor.
 */
const QUESTIONS: Readonly<Record<string, (goals: Goals) => Question>> = {
  objectnav: ({ object_category }) =>
    typeof object_category === "string" ? { object_category } : null,
  rearrange: (goals) => {
    const named = ["target_object", "start_receptacle", "target_location"].flatMap((key) => {
      const goal = goals[key];
      return isRecord(goal) && typeof goal.category === "string"
        ? [[key, { category: goal.category }] as const]
        : [];
    });
    return named.length > 0 ? Object.fromEntries(named) : null;
  },
};

function isSearch(taskType: string): boolean {
  return Object.hasOwn(QUESTIONS, taskType);
}

function question({ taskType, goals }: BaseEpisode): Question {
  return isSearch(taskType) ? (QUESTIONS[taskType]?.(goals) ?? null) : null;
}

/** Keys of `task_config` that are sent; other keys may contain the answer. */
const ALWAYS_SENT = ["robot_config"] as const;

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
  const { taskType } = episode;
  // The positions of objects are what a policy that searches has to find.
  const sent =
    isSearch(taskType) && !disclosed.includes("goals")
      ? ALWAYS_SENT
      : [...ALWAYS_SENT, "scene_objects"];
  const open = start_state
    ? { ...rest, start_state: { ...rest.start_state, ...start_state } }
    : rest;
  return {
    ...open,
    goals: disclosed.includes("goals") ? goals : question(episode),
    reference_data: disclosed.includes("reference") ? reference_data : null,
    task_config: Object.fromEntries(
      sent.filter((key) => key in task_config).map((key) => [key, task_config[key]]),
    ),
    sim_params,
  };
}
