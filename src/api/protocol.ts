import type { BaseEpisode } from "../core/episode/base.js";
import { ConfigError, show } from "../core/errors.js";
import type { AgentEpisode } from "../core/interfaces/agent.js";
import type { ActionSpace } from "../core/task/types.js";
import type { MessageOf } from "./messages/base.js";
import { manipulationEpisode, navigationEpisode } from "./messages/episode-fields.js";
import { type EpisodeOptions, type SentEpisode, sentEpisode } from "./sent-episode.js";
import { formOf } from "./task-forms.js";

const WHERE = "createResetMessage";

/**
 * Builds the message that starts an episode: the documented fields of the task's family, then what else a policy
 * needs to act without knowing the benchmark. Of a `BaseEpisode`, goals of navigation and references are null unless
 * `options.disclose` names them. An `AgentEpisode` is sent as it is; options are ignored.
 *
 * @example
 * import { ActionSpace, BaseEpisode } from "robot-eval";
 * const actionSpace = new ActionSpace({ name: "discrete", actions: ["stop", "move_forward"] });
 * const episode = new BaseEpisode({ episodeId: "1", taskType: "vln", sceneId: "flat" });
 * createResetMessage(episode, "s1", { actionSpace, seed: 7 }).type; // "reset_episode"
 */
export function createResetMessage(
  episode: AgentEpisode | BaseEpisode,
  sessionId: string,
  options: EpisodeOptions = {},
): MessageOf<"reset_episode"> {
  if (typeof sessionId !== "string") {
    throw new ConfigError("bad_argument", `the session id is ${show(sessionId)}`, {
      where: WHERE,
      hint: "pass the session id of the policy's connection as the second argument",
    });
  }
  return resetMessage(sentEpisode(episode, options, WHERE), sessionId);
}

/** The message for an episode whose arguments are checked. */
export function resetMessage(episode: SentEpisode, sessionId: string): MessageOf<"reset_episode"> {
  const { taskType, episodeId, sceneId, actionSpace, conventions, sensors, seed } = episode;
  return {
    type: "reset_episode",
    session_id: sessionId,
    episode: {
      episode_id: episodeId,
      task_type: taskType,
      scene_id: sceneId,
      ...(isNavigation(episode) ? navigationEpisode(episode) : manipulationEpisode(episode)),
      ...(actionSpace ? { action_space: spaceDict(actionSpace) } : {}),
      ...(sensors ? { sensors } : {}),
      ...(conventions ? { conventions } : {}),
      ...(seed === undefined ? {} : { seed }),
    },
  };
}

/** Navigation episodes have a start position; manipulation episodes have a robot instead. */
function isNavigation({ episode, actionSpace, taskType }: SentEpisode): boolean {
  const start = episode.start_state;
  if (typeof start === "object" && start !== null && "position" in start) return true;
  return actionSpace ? actionSpace.name === "discrete" : formOf(taskType) === "name";
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
