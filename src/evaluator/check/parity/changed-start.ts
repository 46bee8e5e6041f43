import { BaseEpisode } from "../../../core/episode/base.js";
import { type FrozenStart, startOf } from "../../../simulator/frozen/start.js";

/** Copies an episode of a frozen world with part of its initial state replaced. */
export function withState(
  episode: BaseEpisode,
  change: (state: FrozenStart["state"]) => Partial<FrozenStart["state"]>,
): BaseEpisode {
  const { state, ...start } = startOf(episode);
  const frozen = { ...start, state: { ...state, ...change(state) } };
  return BaseEpisode.fromDict({
    ...episode.toDict(),
    task_config: { ...episode.taskConfig, frozen },
  });
}
