import { BaseEpisode } from "../../../core/episode/base.js";
import { type FrozenStart, startOf } from "../../../simulator/frozen/start.js";

/** An episode of a frozen world whose initial state is partly another one. */
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
