import { BaseEpisode } from "../episode/base.js";
import { isRecord } from "../record.js";

/** The perturbation of an episode, as stored in its `task_config` and in its line of episodes.jsonl. */
export interface PerturbationRecord {
  readonly axis: string;
  readonly level: number;
  /** Value of the axis's parameter. */
  readonly value: number;
  readonly seed: number;
  /** Further drawn values, if the axis has any. */
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** The key in `task_config`, which is not sent to policies. */
const KEY = "perturbation";

export function withRecord(episode: BaseEpisode, record: PerturbationRecord): BaseEpisode {
  return withTaskConfig(episode, { [KEY]: record });
}

/** The recorded perturbation; undefined for an unperturbed episode. */
export function recordOf({ taskConfig }: BaseEpisode): PerturbationRecord | undefined {
  const found = taskConfig[KEY];
  if (!isRecord(found)) return undefined;
  const { axis, level, value, seed, parameters } = found;
  if (typeof axis !== "string" || typeof seed !== "number") return undefined;
  return {
    axis,
    level: Number(level),
    value: Number(value),
    seed,
    ...(isRecord(parameters) ? { parameters } : {}),
  };
}

/** A copy of an episode with further keys in its `task_config`. */
export function withTaskConfig(
  episode: BaseEpisode,
  keys: Readonly<Record<string, unknown>>,
): BaseEpisode {
  const dict = episode.toDict();
  return BaseEpisode.fromCheckedDict({ ...dict, task_config: { ...dict.task_config, ...keys } });
}
