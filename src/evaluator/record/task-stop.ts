import type { EarlyStop, EpisodeLine } from "../../core/interfaces/result.js";
import type { Interval } from "../../stats/interval.js";

/** Decides when a task of a run stops, and which of its lines count until then. */
export interface TaskStop {
  readonly reached: boolean;
  /** @returns the lines that now count, in order */
  offer(line: EpisodeLine): EpisodeLine[];
  /** Lines that count since the last call, because of a result of another run. */
  ready(): EpisodeLine[];
  /** Lines that still wait for others. A cancelled run counts them, too. */
  rest(): EpisodeLine[];
  /** Whether an episode lies after the stopping point. */
  isBeyond(line: Pick<EpisodeLine, "episode_key">): boolean;
  /** An anytime-valid interval; null before the first valid episode. */
  interval(): Interval | null;
  result(): EarlyStop;
}

/** The mean of a metric over the valid repeats of an episode; undefined if there is none. */
export function episodeValue(lines: readonly EpisodeLine[], metric: string): number | undefined {
  const values = lines.flatMap(({ outcome, metrics }) =>
    outcome === "invalid" ? [] : [metrics[metric] ?? []].flat(),
  );
  return values.length === 0
    ? undefined
    : values.reduce((sum, value) => sum + value, 0) / values.length;
}
