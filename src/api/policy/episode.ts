import { recordOf } from "../messages/episode-fields.js";

/** Action space of an episode: names, a vector within a range, or both. */
export interface PolicyActionSpace {
  readonly name?: string;
  readonly actions?: readonly string[];
  readonly shape?: readonly number[];
  /** One pair for all numbers, or one pair per number. */
  readonly range?: readonly [number, number] | readonly (readonly [number, number])[];
  readonly semantics?: Readonly<Record<string, string>>;
}

/** What a policy receives at the start of an episode. Undisclosed fields are null. */
export interface PolicyEpisode {
  /** Distinguishes concurrent episodes; every observation of the episode has the same id. */
  readonly sessionId: string;
  readonly episodeId: string;
  readonly taskType: string;
  readonly sceneId: string;
  /** The instruction's text; empty if the task has none. */
  readonly instruction: string;
  readonly goals: unknown;
  readonly actionSpace: PolicyActionSpace;
  /** Available sensors; empty if the evaluator does not list them. */
  readonly sensors: readonly string[];
  readonly conventions: Readonly<Record<string, unknown>>;
  /** Seed for the policy's own randomness, so that a run can be repeated. */
  readonly seed: number | undefined;
  /** The episode with its keys as sent. */
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
