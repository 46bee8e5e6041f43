import type { BaseEpisode } from "../../../core/episode/base.js";
import type { EpisodeLine } from "../../../core/interfaces/result.js";
import type { StepRecord } from "../../../core/interfaces/step.js";
import type { Rules } from "../../../core/profiles.js";
import type { MetricWhy } from "../documents.js";

/** Input of an explanation. */
export interface WhyInput {
  readonly line: EpisodeLine;
  readonly episode: BaseEpisode;
  readonly records: readonly StepRecord[];
  /** The conventions by which the episode was judged. */
  readonly rules: Rules;
  /** The metric's own settings in the benchmark. */
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface Explanation {
  /** The recomputed value; if it differs from the line's, there is no explanation. */
  readonly value: number;
  readonly formula: string;
  /** Without the value, which is appended: `= 0.72`, or `→ 1` if there is no formula. */
  readonly substituted: string;
  readonly inWords?: true;
  readonly terms: MetricWhy["terms"];
}

/** Undefined if the records lack the needed data. */
export type Explain = (input: WhyInput) => Explanation | undefined;

/** Formats a number in a formula: integers as they are, others with four significant digits. */
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
