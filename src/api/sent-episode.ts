import { BaseEpisode, episodeKey } from "../core/episode/base.js";
import { type Disclosed, disclose, disclosedBy } from "../core/episode/disclosure.js";
import { ConfigError, show } from "../core/errors.js";
import type { AgentEpisode } from "../core/interfaces/agent.js";
import { isRecord } from "../core/record.js";
import type { ActionSpace } from "../core/task/types.js";
import { formOf } from "./task-forms.js";

/** What a `BaseEpisode` does not say; a run's `AgentEpisode` has it. */
export interface EpisodeOptions {
  /** The actions of the task. Absent: the task type decides whether an action is a name or a vector. */
  readonly actionSpace?: ActionSpace | undefined;
  /** For the policy's own randomness. */
  readonly seed?: number | undefined;
  /** Parts of the answer that the policy receives. Default: the goals in manipulation, nothing in navigation. */
  readonly disclose?: readonly Disclosed[] | undefined;
}

/** An episode as the messages need it. */
export type SentEpisode = Omit<AgentEpisode, "actionSpace" | "seed"> &
  Partial<Pick<AgentEpisode, "actionSpace" | "seed">>;

/** @param where the called function, for the error of a wrong argument */
export function sentEpisode(
  episode: AgentEpisode | BaseEpisode,
  options: EpisodeOptions,
  where: string,
): SentEpisode {
  if (!(episode instanceof BaseEpisode)) return checked(episode, where);
  const { taskType, episodeId, sceneId, startState } = episode;
  const form = startState.position ? "name" : formOf(taskType);
  const family = form === "name" ? "navigation" : "manipulation";
  const { actionSpace, seed } = options;
  return {
    taskType,
    episodeId,
    sceneId,
    episodeKey: episodeKey(taskType, sceneId, episodeId),
    episode: disclose(episode, disclosedBy({ family, taskType }, options.disclose)),
    ...(actionSpace ? { actionSpace } : {}),
    ...(seed === undefined ? {} : { seed }),
  };
}

/** Programs in JavaScript may pass anything. */
function checked(episode: unknown, where: string): AgentEpisode {
  if (isAgentEpisode(episode)) return episode;
  const isStored = isRecord(episode) && "episode_id" in episode;
  throw new ConfigError("bad_argument", `${show(episode)} is not an episode`, {
    where,
    hint: isStored
      ? "pass BaseEpisode.fromDict(episode)"
      : "pass a BaseEpisode, or the AgentEpisode that an agent's reset receives",
  });
}

function isAgentEpisode(episode: unknown): episode is AgentEpisode {
  return (
    isRecord(episode) &&
    [episode.taskType, episode.episodeId, episode.sceneId].every((id) => typeof id === "string") &&
    isRecord(episode.episode) &&
    isRecord(episode.actionSpace)
  );
}
