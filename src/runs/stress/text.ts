import { number } from "../report/format.js";
import type { StressAxis, StressLevel, StressReport, TellingEpisode } from "./documents.js";

/** Texts of a stress test that the terminal and the reports share. */

/** The strength of a level with its unit, without rounding errors: `0.02 m`, `1 control step`. */
export function valueText(value: number, unit: string): string {
  const text = String(Number(value.toPrecision(3)));
  if (unit === "") return text;
  // Units that are words are plurals; "s" and "ms" are symbols.
  return `${text} ${text === "1" ? unit.replace(/(?<=[a-z]{3})s$/, "") : unit}`;
}

export function breakPointText({ break_point, unit }: StressAxis): string {
  const { state, value, ci95 } = break_point;
  if (state === "unknown") return "–";
  const far = ci95 && (ci95[1] === null ? "∞" : number(ci95[1]));
  const range = ci95 ? ` [${number(ci95[0])}, ${far}]` : "";
  return `${state === "reached" ? valueText(value ?? 0, unit) : "none of these levels"}${range}`;
}

/** Why pairs are missing; empty if none is. */
export function leftOutText({ unsolvable, invalid, stopped_early }: StressLevel): string {
  const parts = [
    unsolvable > 0 ? `${unsolvable} unsolvable` : "",
    invalid > 0 ? `${invalid} invalid` : "",
    stopped_early ? `stopped after ${stopped_early.counted} of ${stopped_early.of}` : "",
  ];
  return parts.filter((part) => part !== "").join(", ");
}

/** The axes in the order of the ranking. */
export function rankedAxes({ ranking, axes }: StressReport): StressAxis[] {
  return ranking.flatMap(({ axis }) => axes.find((one) => one.axis === axis) ?? []);
}

/** `fails from level 2 on` */
export function changeText({ to, level, stays }: TellingEpisode): string {
  return `${to === "failure" ? "fails" : "succeeds"} ${stays ? `from level ${level} on` : `at level ${level}`}`;
}
