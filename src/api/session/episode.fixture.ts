import type { AgentEpisode } from "../../core/interfaces/agent.js";
import { ActionSpace } from "../../core/task/types.js";

/** An episode of a task with names for actions. */
export function anEpisode(more: Partial<AgentEpisode> = {}): AgentEpisode {
  return {
    taskType: "vln",
    episodeId: "1",
    sceneId: "house",
    episodeKey: "vln/house/1",
    episode: { instruction: { text: "go" }, start_state: { position: [0, 0, 0] } },
    actionSpace: new ActionSpace({ name: "discrete", actions: ["stop", "move_forward"] }),
    seed: 1,
    ...more,
  };
}

export const AN_END = { episodeId: "1", reason: "stop", steps: 1 };
