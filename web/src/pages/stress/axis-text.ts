import type { StressReport } from "../../../../src/runs/stress/documents.js";
import { formatNumber } from "../../format.js";

export type StressAxis = StressReport["axes"][number];
export type StressLevel = StressAxis["levels"][number];

/** A value of an axis's parameter with its unit, such as `0.02 m` or `1 control step`. */
export function valueText({ unit }: Pick<StressAxis, "unit">, value: number): string {
  const number = Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(3)));
  if (unit === "" || unit === "1") return number;
  // Units that are words are plurals; "s" and "ms" are symbols.
  return `${number} ${number === "1" ? unit.replace(/(?<=[a-z]{3})s$/, "") : unit}`;
}

/** `0.47 [0.40, 0.58]`; an open end is `…`. */
export function breakPointText(axis: StressAxis): string | null {
  const { state, value, ci95 } = axis.break_point;
  if (state !== "reached" || value === null) return null;
  if (!ci95) return valueText(axis, value);
  const [near, far] = ci95;
  return `${valueText(axis, value)} [${valueText({ unit: "" }, near)}, ${far === null ? "…" : valueText({ unit: "" }, far)}]`;
}

/**
 * Background of a cell: from the surface's colour to red for a loss, to green for a gain. At most half of the colour,
 * so that the text stays readable in both themes.
 */
export function cellColor(difference: number | null): string | undefined {
  if (difference === null) return undefined;
  const share = Math.min(1, Math.abs(difference)) * 50;
  return `color-mix(in srgb, var(${difference < 0 ? "--failure" : "--success"}) ${share.toFixed(1)}%, var(--surface))`;
}

export function percent(value: number | null): string {
  return value === null ? "–" : `${(100 * value).toFixed(0)} %`;
}

/** `−0.250 [−0.400, −0.100]` */
export function signed(value: number | null): string {
  return value === null ? "–" : `${value > 0 ? "+" : ""}${formatNumber(value)}`;
}
