import type { BaseEpisode } from "../../../core/episode/base.js";
import type { EpisodeLine } from "../../../core/interfaces/result.js";
import type { StepRecord } from "../../../core/interfaces/step.js";
import type { Rules } from "../../../core/profiles.js";
import type { MetricWhy } from "../documents.js";

/** What an explanation is made of. */
export interface WhyInput {
  readonly line: EpisodeLine;
  readonly episode: BaseEpisode;
  readonly records: readonly StepRecord[];
  /** The conventions that the episode was judged by. */
  readonly rules: Rules;
  /** The metric's own settings in the benchmark. */
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface Explanation {
  /** Computed anew; where the line has another, nothing is explained. */
  readonly value: number;
  readonly formula: string;
  /** Without the value, which is written behind it: `= 0.72`, or `→ 1` behind what is no formula. */
  readonly substituted: string;
  readonly inWords?: true;
  readonly terms: MetricWhy["terms"];
}

/** Undefined where the records do not hold what it takes. */
export type Explain = (input: WhyInput) => Explanation | undefined;

/** A number in a formula: whole ones bare, others with four significant places. */
export function put(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const text = Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
  return text.replace("-", "−");
}

export function metres(name: string, value: number): MetricWhy["terms"][number] {
  return { name, value, unit: "m" };
}

export function plain(name: string, value: number): MetricWhy["terms"][number] {
  return { name, value, unit: "1" };
}
