import type { BaseEpisode } from "../../../core/episode/base.js";
import type { EpisodeLine, RunInfo } from "../../../core/interfaces/result.js";
import type { StepRecord } from "../../../core/interfaces/step.js";
import { type Rules, rulesOf } from "../../../core/profiles.js";
import { isRecord } from "../../../core/record.js";
import { mergedTaskConfig } from "../../../runs/recorded/recorded-config.js";
import type { MetricWhy } from "../documents.js";
import { ARRIVAL } from "./arrival.js";
import { FIDELITY } from "./fidelity.js";
import { HANDLING } from "./handling.js";
import { type Explain, type Explanation, put, type WhyInput } from "./input.js";
import { MOTION } from "./motion.js";

const EXPLAINED: ReadonlyMap<string, Explain> = new Map(
  [ARRIVAL, FIDELITY, HANDLING, MOTION].flatMap((table) => Object.entries(table)),
);

/** Explains the value of each of an episode's metrics with its numbers. */
export function whyOf(
  info: RunInfo,
  line: EpisodeLine,
  episode: BaseEpisode,
  records: readonly StepRecord[],
): MetricWhy[] {
  const config = mergedTaskConfig(info, line.task);
  const rules = rulesIn(line, config);
  return Object.entries(line.metrics).map(([metric, value]) => {
    const explain = EXPLAINED.get(metric);
    const bare = { metric, value, formula: null, substituted: null, terms: [] };
    if (!explain || !rules || value === null || records.length === 0) return bare;
    const settings = settingsOf(config, metric);
    const found = explained(explain, { line, episode, records, rules, settings });
    if (!found || !agrees(found.value, value)) return bare;
    const { formula, terms, inWords } = found;
    const substituted = `${found.substituted} ${inWords ? "→" : "="} ${put(value)}`;
    return { metric, value, formula, substituted, terms };
  });
}

/** Equal up to rounding. The values of a broken-off episode differ from those of its steps. */
function agrees(found: number, recorded: number): boolean {
  return Math.abs(found - recorded) <= 1e-9 * Math.max(1, Math.abs(recorded));
}

/** Catches errors, because untrusted records may contain anything. */
function explained(explain: Explain, input: WhyInput): Explanation | undefined {
  try {
    return explain(input);
  } catch {
    return undefined;
  }
}

/** Undefined if the profile is unknown. */
function rulesIn(line: EpisodeLine, config: Record<string, unknown>): Rules | undefined {
  try {
    return rulesOf(line.task_type, config);
  } catch {
    return undefined;
  }
}

function settingsOf(config: Record<string, unknown>, metric: string): Record<string, unknown> {
  const own = isRecord(config.metric_config) ? config.metric_config[metric] : undefined;
  return isRecord(own) ? own : {};
}
