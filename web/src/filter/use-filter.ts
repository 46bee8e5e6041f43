import { useDeferredValue, useMemo } from "react";
import { type FilterLanguage, matcherOf, namesOf } from "./match.js";
import { parseFilter } from "./parse.js";
import { type Suggestion, suggestionsFor } from "./suggest.js";

/** Maximum number of suggested values. */
const MAX_VALUES = 500;

/** The rows that match a filter. Tokens with errors are ignored, so that the table stays filled while typing. */
export function useFilter<T>(rows: readonly T[], filter: string, language: FilterLanguage<T>) {
  // Deferred, so that typing stays responsive with many rows.
  const settled = useDeferredValue(filter);
  const { terms, errors } = useMemo(
    () => parseFilter(settled, namesOf(language)),
    [settled, language],
  );
  const kept = useMemo(() => rows.filter(matcherOf(terms, language)), [rows, terms, language]);
  const suggest = useMemo(() => suggester(rows, language), [rows, language]);
  return { kept, errors, suggest };
}

function suggester<T>(rows: readonly T[], language: FilterLanguage<T>) {
  const known = new Map<string, readonly string[]>();
  const valuesOf = (field: string): readonly string[] => {
    const read = language.texts[field];
    const held = known.get(field);
    if (held || !read) return held ?? [];
    const values = new Set<string>();
    for (const row of rows) {
      for (const value of [read(row)].flat()) values.add(value);
      if (values.size >= MAX_VALUES) break;
    }
    const sorted = [...values].sort();
    known.set(field, sorted);
    return sorted;
  };
  return (filter: string): Suggestion[] => suggestionsFor(filter, namesOf(language), valuesOf);
}
