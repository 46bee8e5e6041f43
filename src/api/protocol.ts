import type { Action } from "../core/interfaces/action.js";
import type { AgentEpisode } from "../core/interfaces/agent.js";
import type { ActionSpace } from "../core/task/types.js";
import { NdArray } from "./codec/ndarray.js";
import type { MessageOf } from "./messages/base.js";
import { manipulationEpisode } from "./messages/manipulation.js";
import { navigationEpisode } from "./messages/navigation.js";

/**
 * The message that starts an episode: the design's fields by family of task, then what else a policy needs to
 * act without having read the benchmark.
 */
export function createResetMessage(
  episode: AgentEpisode,
  sessionId: string,
): MessageOf<"reset_episode"> {
  const { taskType, episodeId, sceneId, actionSpace, conventions, sensors, seed } = episode;
  return {
    type: "reset_episode",
    session_id: sessionId,
    episode: {
      episode_id: episodeId,
      task_type: taskType,
      scene_id: sceneId,
      ...(isNavigation(episode) ? navigationEpisode(episode) : manipulationEpisode(episode)),
      action_space: spaceDict(actionSpace),
      ...(sensors ? { sensors } : {}),
      ...(conventions ? { conventions } : {}),
      seed,
    },
  };
}

/**
 * The actions of an action message, one or a chunk, as the action space reads them. What fits the space is
 * decided by the space, not by the name of a task.
 */
export function parseActionMessage(
  message: MessageOf<"action">,
  space: ActionSpace,
): readonly [Action, ...Action[]] {
  const [first, ...rest] = message.actions ?? [message.action];
  const read = (raw: unknown) => space.parse(plain(raw));
  return [read(first), ...rest.map(read)];
}

/** A vector may travel as an array of MessagePack, bare or inside `{qpos}`. */
function plain(raw: unknown): unknown {
  if (raw instanceof NdArray) return raw.shape.length <= 1 ? raw.numbers() : raw.rows();
  if (typeof raw !== "object" || raw === null || !("qpos" in raw)) return raw;
  return raw.qpos instanceof NdArray ? { qpos: raw.qpos.numbers() } : raw;
}

/** A navigation episode starts at a position; one of manipulation, with a robot. */
function isNavigation({ episode, actionSpace }: AgentEpisode): boolean {
  const start = episode.start_state;
  if (typeof start === "object" && start !== null && "position" in start) return true;
  return actionSpace.name === "discrete";
}

function spaceDict(space: ActionSpace): Record<string, unknown> {
  const { name, actions, shape, range, semantics } = space;
  return {
    name,
    ...(actions ? { actions } : {}),
    ...(shape ? { shape } : {}),
    ...(range ? { range } : {}),
    ...(semantics ? { semantics } : {}),
  };
}
