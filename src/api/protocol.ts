import type { Action } from "../core/interfaces/action.js";
import type { AgentEpisode } from "../core/interfaces/agent.js";
import type { ActionSpace } from "../core/task/types.js";
import { NdArray } from "./codec/ndarray.js";
import type { MessageOf } from "./messages/base.js";
import { manipulationEpisode } from "./messages/manipulation.js";
import { navigationEpisode } from "./messages/navigation.js";

/**
 * Builds the message that starts an episode: the documented fields of the task's family, then what else a policy
 * needs to act without knowing the benchmark.
 *
 * @example
 * import { ActionSpace } from "robot-eval";
 * const actionSpace = new ActionSpace({ name: "discrete", actions: ["stop", "move_forward"] });
 * const ids = { taskType: "vln", episodeId: "1", sceneId: "flat", episodeKey: "vln/flat/1" };
 * createResetMessage({ ...ids, episode: {}, actionSpace, seed: 7 }, "s1").type; // "reset_episode"
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
 * Reads the action or chunk of actions in a message. The action space alone decides what is valid.
 *
 * @example
 * import { ActionSpace } from "robot-eval";
 * const space = new ActionSpace({ name: "discrete", actions: ["stop"] });
 * parseActionMessage({ type: "action", session_id: "s1", action: "stop" }, space); // ["stop"]
 */
export function parseActionMessage(
  message: MessageOf<"action">,
  space: ActionSpace,
): readonly [Action, ...Action[]] {
  const [first, ...rest] = message.actions ?? [message.action];
  const read = (raw: unknown) => space.parse(plain(raw));
  return [read(first), ...rest.map(read)];
}

/** Converts a MessagePack array, bare or as `qpos` of an object, to a list. */
function plain(raw: unknown): unknown {
  if (raw instanceof NdArray) return raw.shape.length <= 1 ? raw.numbers() : raw.rows();
  if (typeof raw !== "object" || raw === null || !("qpos" in raw)) return raw;
  return raw.qpos instanceof NdArray ? { ...raw, qpos: raw.qpos.numbers() } : raw;
}

/** Navigation episodes have a start position; manipulation episodes have a robot instead. */
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
