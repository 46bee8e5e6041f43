import type { EpisodeLine } from "../../core/interfaces/result.js";
import { asJson, firstDifference, type ValueDifference } from "./difference.js";

/** What of a line does not depend on the clock, and little else: a run may have many. */
export type ComparedLine = Pick<
  EpisodeLine,
  | "episode_key"
  | "repeat"
  | "seed"
  | "outcome"
  | "end_reason"
  | "metrics"
  | "steps"
  | "initial_state_hash"
  | "final_state_hash"
> & { readonly fault?: EpisodeLine["fault"] };

export function comparedLine(line: EpisodeLine): ComparedLine {
  const { episode_key, repeat, seed, outcome, end_reason, metrics, steps, fault } = line;
  const { initial_state_hash, final_state_hash } = line;
  return {
    ...{ episode_key, repeat, seed, outcome, end_reason, metrics, steps },
    ...{ initial_state_hash, final_state_hash },
    ...(fault === undefined ? {} : { fault }),
  };
}

/** From the cause to the effect, so that the first difference is the one to look at. */
const FIELDS = [
  "seed",
  "initial_state_hash",
  "steps",
  "end_reason",
  "fault",
  "outcome",
  "metrics",
  "final_state_hash",
] as const satisfies readonly (keyof ComparedLine)[];

type ComparedField = (typeof FIELDS)[number];

/** The first field in which two lines of an episode differ. */
export function lineDifference(
  recorded: ComparedLine,
  now: ComparedLine,
  apartFrom: readonly ComparedField[] = [],
): ValueDifference | undefined {
  for (const field of FIELDS) {
    if (apartFrom.includes(field)) continue;
    const found = firstDifference(asJson(recorded[field]), asJson(now[field]), field);
    if (found) return found;
  }
  return undefined;
}
