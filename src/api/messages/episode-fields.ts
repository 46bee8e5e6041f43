import type { AgentEpisode } from "../../core/interfaces/agent.js";

/** The design's fields of a navigation episode, as sent to the policy. Undisclosed fields are null. */
export function navigationEpisode({
  episode,
}: Pick<AgentEpisode, "episode">): Record<string, unknown> {
  const start = recordOf(episode.start_state);
  const reference = recordOf(episode.reference_data);
  return {
    instruction: episode.instruction ?? null,
    start_position: start.position ?? null,
    start_rotation: start.rotation ?? null,
    goals: episode.goals ?? null,
    reference_path: reference.path ?? null,
  };
}

/** A part of the episode that may be null or absent. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** The design's fields of a manipulation episode, as sent to the policy. Undisclosed fields are null. */
export function manipulationEpisode({
  episode,
}: Pick<AgentEpisode, "episode">): Record<string, unknown> {
  const task = recordOf(episode.task_config);
  const reference = recordOf(episode.reference_data);
  return {
    instruction: episode.instruction ?? null,
    robot_config: task.robot_config ?? null,
    scene_objects: task.scene_objects ?? null,
    goals: episode.goals ?? null,
    reference_trajectory: reference.trajectory ?? null,
  };
}
