/**
 * When a task has succeeded, as data: one key each, a combinator or a predicate with its parameters.
 *
 * @example
 * { hold: { steps: 10, rule: { all: [{ on: { object: "cup", base: "plate" } }, { released: { object: "cup" } }] } } }
 */
export type Rule =
  | { readonly all: readonly Rule[] }
  | { readonly any: readonly Rule[] }
  | { readonly not: Rule }
  /** Holds for good once it held. */
  | { readonly once: Rule }
  /** Has held for `steps` control steps in a row. */
  | { readonly hold: { readonly steps: number; readonly rule: Rule } }
  /** A predicate; `name` among its parameters is how its condition is reported. */
  | { readonly [predicate: string]: Readonly<Record<string, unknown>> };

export const COMBINATORS = ["all", "any", "not", "once", "hold"] as const;
export type Combinator = (typeof COMBINATORS)[number];

export function isCombinator(key: string): key is Combinator {
  return COMBINATORS.some((name) => name === key);
}
