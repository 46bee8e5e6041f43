import type { FieldNames, Operator, Term } from "./parse.js";

/** The filter fields of a type of row. */
export interface FilterLanguage<T> {
  /** Fields with text; a row may have several values of one. */
  readonly texts: Readonly<Record<string, (row: T) => string | readonly string[]>>;
  readonly numbers: Readonly<Record<string, (row: T) => number | null>>;
  /** The text that words are searched in. */
  readonly words: (row: T) => string;
}

export function namesOf<T>(language: FilterLanguage<T>): FieldNames {
  return { texts: Object.keys(language.texts), numbers: Object.keys(language.numbers) };
}

/** A predicate that is true if a row matches every term. */
export function matcherOf<T>(
  terms: readonly Term[],
  language: FilterLanguage<T>,
): (row: T) => boolean {
  const tests = terms.map((term) => testOf(term, language));
  return (row) => tests.every((test) => test(row));
}

function testOf<T>(term: Term, language: FilterLanguage<T>): (row: T) => boolean {
  const wanted = !term.negated;
  switch (term.kind) {
    case "word":
      return (row) => language.words(row).toLowerCase().includes(term.word) === wanted;
    case "text": {
      const read = language.texts[term.field];
      const fits = patternsTest(term.patterns);
      return (row) => [read?.(row) ?? []].flat().some(fits) === wanted;
    }
    case "number": {
      const read = language.numbers[term.field];
      return (row) => compare(read?.(row) ?? null, term.operator, term.value) === wanted;
    }
  }
}

/** A missing number matches no bound. */
function compare(actual: number | null, operator: Operator, bound: number | null): boolean {
  if (bound === null) return (actual === null) === (operator === "=");
  if (actual === null) return false;
  switch (operator) {
    case "<":
      return actual < bound;
    case "<=":
      return actual <= bound;
    case ">":
      return actual > bound;
    case ">=":
      return actual >= bound;
    case "=":
      return actual === bound;
    case "!=":
      return actual !== bound;
  }
}

function patternsTest(patterns: readonly string[]): (value: string) => boolean {
  const whole = patterns.map(
    (pattern) => new RegExp(`^${pattern.split("*").map(literal).join(".*")}$`, "is"),
  );
  return (value) => whole.some((pattern) => pattern.test(value));
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
