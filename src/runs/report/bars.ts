import type { MetricSummary, Outcome } from "../../core/interfaces/result.js";
import { type Html, html } from "./html.js";
import { total } from "./read.js";

/** Small drawings that repeat adjacent numbers, and so are hidden from screen readers. */

export interface Axis {
  readonly low: number;
  readonly high: number;
}

export const RATE_AXIS: Axis = { low: 0, high: 1 };

/** 0 to 1 for rates and shares, so that bars are comparable; otherwise from 0, or from a negative minimum. */
export function axisOf({ unit, min, max, ci95 }: MetricSummary): Axis {
  const low = Math.min(min ?? 0, ci95?.[0] ?? 0, 0);
  const high = Math.max(max ?? 0, ci95?.[1] ?? 0);
  if (unit === "1" && low >= 0 && high <= 1) return RATE_AXIS;
  return high > low ? { low, high } : { low, high: low + 1 };
}

/** Draws the mean as a dot on its interval. */
export function intervalBar(
  { mean, ci95 }: Pick<MetricSummary, "mean" | "ci95">,
  axis: Axis = RATE_AXIS,
): Html {
  const at = (value: number) => {
    const share = (value - axis.low) / (axis.high - axis.low);
    return `${(100 * Math.min(1, Math.max(0, share))).toFixed(2)}%`;
  };
  return html`<svg class="interval" aria-hidden="true"><line class="axis" x1="0" x2="100%" y1="9" y2="9"/><line class="tick" x1="50%" x2="50%" y1="5" y2="13"/>${
    ci95 && html`<line class="range" x1="${at(ci95[0])}" x2="${at(ci95[1])}" y1="9" y2="9"/>`
  }${mean !== null && html`<circle class="mean" cx="${at(mean)}" cy="9" r="4.5"/>`}</svg>`;
}

export const OUTCOMES: readonly Outcome[] = ["success", "failure", "invalid"];

/** Draws success, failure and invalid counts as one stacked bar; its full width is `of` episodes. */
export function outcomeBar(outcomes: Readonly<Record<Outcome, number>>, of: number): Html {
  let left = 0;
  const parts = OUTCOMES.map((outcome) => {
    const width = of === 0 ? 0 : (100 * outcomes[outcome]) / of;
    const x = left;
    left += width;
    return (
      width > 0 &&
      html`<rect class="${outcome}" x="${x.toFixed(2)}%" width="${width.toFixed(2)}%" height="100%"/>`
    );
  });
  return html`<svg class="outcomes" aria-hidden="true">${parts}</svg>`;
}

/** The outcome counts as text: `12 success, 3 failure`. */
export function outcomeText(outcomes: Readonly<Record<Outcome, number>>): string {
  if (total(outcomes) === 0) return "none";
  return OUTCOMES.filter((outcome) => outcomes[outcome] > 0)
    .map((outcome) => `${outcomes[outcome]} ${outcome}`)
    .join(", ");
}
