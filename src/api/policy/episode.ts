import { recordOf } from "../messages/navigation.js";

/** What an episode's actions are: names, a vector within a range, or both. */
export interface PolicyActionSpace {
  readonly name?: string;
  readonly actions?: readonly string[];
  readonly shape?: readonly number[];
  /** One pair for all numbers, or a pair each. */
  readonly range?: readonly [number, number] | readonly (readonly [number, number])[];
  readonly semantics?: Readonly<Record<string, string>>;
}

/** What a policy is told when an episode begins. What is not disclosed is null. */
export interface PolicyEpisode {
  /** Which of several episodes that run side by side; the same with each of its observations. */
  readonly sessionId: string;
  readonly episodeId: string;
  readonly taskType: string;
  readonly sceneId: string;
  /** The instruction's text; empty where the task has none. */
  readonly instruction: string;
  readonly goals: unknown;
  readonly actionSpace: PolicyActionSpace;
  /** What will be seen; empty if the evaluator does not tell. */
  readonly sensors: readonly string[];
  readonly conventions: Readonly<Record<string, unknown>>;
  /** For the policy's own chance, so that a run can be repeated. */
  readonly seed: number | undefined;
  /** The episode as it was sent, with its keys as they travel. */
  readonly fields: Readonly<Record<string, unknown>>;
}

export function policyEpisode(
  fields: Readonly<Record<string, unknown>>,
  sessionId: string,
): PolicyEpisode {
  const { instruction } = fields;
  return {
    sessionId,
    episodeId: text(fields.episode_id),
    taskType: text(fields.task_type),
    sceneId: text(fields.scene_id),
    instruction: text(typeof instruction === "string" ? instruction : recordOf(instruction).text),
    goals: fields.goals ?? null,
    actionSpace: recordOf(fields.action_space),
    sensors: Array.isArray(fields.sensors) ? fields.sensors.map(String) : [],
    conventions: recordOf(fields.conventions),
    seed: typeof fields.seed === "number" ? fields.seed : undefined,
    fields,
  };
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
