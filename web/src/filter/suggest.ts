import type { FieldNames } from "./parse.js";
import { tokensOf } from "./tokens.js";

/** A completion of a filter. */
export interface Suggestion {
  readonly label: string;
  /** The whole filter with the completion. */
  readonly filter: string;
}

/**
 * Completions of the last token of a filter: field names before an operator, then the field's values.
 */
export function suggestionsFor(
  filter: string,
  names: FieldNames,
  valuesOf: (field: string) => readonly string[],
  most = 8,
): Suggestion[] {
  const last = tokensOf(filter).at(-1);
  const typing = last !== undefined && !/\s$/.test(filter);
  if (typing && last.quoted) return [];
  const text = typing ? last.text.toLowerCase() : "";
  const before = typing ? `${filter.slice(0, last.start)}${last.negated ? "-" : ""}` : filter;
  const take = (label: string, ended: boolean): Suggestion => ({
    label,
    filter: `${before}${label}${ended ? " " : ""}`,
  });
  const colon = text.indexOf(":");
  if (colon > 0) {
    const field = text.slice(0, colon);
    const part = text.slice(colon + 1);
    return valuesOf(field)
      .filter((value) => value.toLowerCase().includes(part) && value.toLowerCase() !== part)
      .slice(0, most)
      .map((value) => take(`${field}:${/\s/.test(value) ? `"${value}"` : value}`, true));
  }
  if (/[<>=!]/.test(text)) return [];
  return [...names.texts.map((name) => `${name}:`), ...names.numbers.map((name) => `${name}<`)]
    .filter((label) => label.startsWith(text))
    .slice(0, most)
    .map((label) => take(label, false));
}
