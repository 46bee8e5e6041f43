import type { EpisodeLine } from "../../../core/interfaces/result.js";
import { asJson, firstDifference, type ValueDifference } from "./difference.js";

/** The fields of a line that do not depend on clocks. Other fields are dropped to save memory. */
export type ComparedLine = Pick<
  EpisodeLine,
  | "episode_key"
  | "repeat"
  | "seed"
  | "agent_seed"
  | "profile"
  | "explanation"
  | "outcome"
  | "end_reason"
  | "metrics"
  | "steps"
  | "initial_state_hash"
  | "final_state_hash"
> & { readonly fault?: EpisodeLine["fault"] };

export function comparedLine(line: EpisodeLine): ComparedLine {
  const { episode_key, repeat, seed, outcome, end_reason, metrics, steps, fault } = line;
  const { initial_state_hash, final_state_hash, agent_seed, profile, explanation } = line;
  return {
    ...{ episode_key, repeat, seed, outcome, end_reason, metrics, steps },
    ...{ initial_state_hash, final_state_hash, agent_seed, profile, explanation },
    ...(fault === undefined ? {} : { fault }),
  };
}

/** Causes before effects, so that the first difference is the most informative. */
const FIELDS = [
  "seed",
  "agent_seed",
  "profile",
  "initial_state_hash",
  "steps",
  "end_reason",
  "fault",
  "outcome",
  "metrics",
  "final_state_hash",
  "explanation",
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
