import type { EpisodeLine, RunInfo } from "../../core/interfaces/result.js";
import { isRecord } from "../../core/record.js";

/** A task's settings merged over the benchmark-wide ones. */
export function taskConfig({ config }: RunInfo, { task }: EpisodeLine): Record<string, unknown> {
  const section = config[`${task}_task`];
  return {
    ...(isRecord(config.evaluation) ? config.evaluation : {}),
    ...(isRecord(section) && isRecord(section.config) ? section.config : {}),
  };
}
