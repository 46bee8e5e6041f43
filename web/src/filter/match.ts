import type { FieldNames, Operator, Term } from "./parse.js";

/** How a kind of row is filtered. */
export interface FilterLanguage<T> {
  /** Fields with text; a row may have several values of one. */
  readonly texts: Readonly<Record<string, (row: T) => string | readonly string[]>>;
  readonly numbers: Readonly<Record<string, (row: T) => number | null>>;
  /** What words are looked for in. */
  readonly words: (row: T) => string;
}

export function namesOf<T>(language: FilterLanguage<T>): FieldNames {
  return { texts: Object.keys(language.texts), numbers: Object.keys(language.numbers) };
}

/** Whether a row is what every term says. */
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

/** Where there is no number, no bound holds. */
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
