import type { AgentEpisode } from "../../core/interfaces/agent.js";
import { recordOf } from "./navigation.js";

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
