import { interval, number } from "../../../runs/report/format.js";
import { type Html, html } from "../../../runs/report/html.js";
import type { Score } from "../http/documents.js";
import { type Language, languageTag } from "./messages/index.js";

/** A date and time in UTC, so that deadlines are unambiguous. */
export function moment(iso: string, language: Language): Html {
  const text = new Intl.DateTimeFormat(languageTag(language), {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
  }).format(new Date(iso));
  return html`<time datetime="${iso}">${text} UTC</time>`;
}

export function day(iso: string, language: Language): Html {
  const text = new Intl.DateTimeFormat(languageTag(language), {
    dateStyle: "medium",
    timeZone: "UTC",
  }).format(new Date(iso));
  return html`<time datetime="${iso}">${text}</time>`;
}

/** `0.612 [0.571, 0.652]`, with the unit if the metric has one. */
export function scoreText({ mean, ci95, unit }: Score): Html {
  const measured = unit === "1" || mean === null ? null : html` <span class="unit">${unit}</span>`;
  return html`<span class="mean">${number(mean)}</span>${measured} <span class="range">${ci95 ? interval(ci95) : ""}</span>`;
}

/** A p-value with two significant digits. */
export function pText(p: number): string {
  if (p < 0.001) return "< 0.001";
  return p >= 0.995 ? "1" : p.toPrecision(2);
}
