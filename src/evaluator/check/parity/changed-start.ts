import { BaseEpisode } from "../../../core/episode/base.js";
import { type FrozenStart, startOf } from "../../../simulator/frozen/start.js";

/** Copies an episode of a frozen world with part of its start replaced. */
export function withStart(
  episode: BaseEpisode,
  change: (start: FrozenStart) => Partial<FrozenStart>,
): BaseEpisode {
  const start = startOf(episode);
  return BaseEpisode.fromDict({
    ...episode.toDict(),
    task_config: { ...episode.taskConfig, frozen: { ...start, ...change(start) } },
  });
}
