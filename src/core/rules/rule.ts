/**
 * A success rule as data. Each rule has one key: a combinator, or a predicate with its parameters.
 *
 * @example
 * { hold: { steps: 10, rule: { all: [{ on: { object: "cup", base: "plate" } }, { released: { object: "cup" } }] } } }
 */
export type Rule =
  | { readonly all: readonly Rule[] }
  | { readonly any: readonly Rule[] }
  | { readonly not: Rule }
  /** Holds from the first step on at which its part holds. */
  | { readonly once: Rule }
  /**
   * Holds from the step on at which its last part held, each part at or after the step of the one before it. A part that
   * held only before its turn does not count.
   */
  | { readonly sequence: readonly Rule[] }
  /** Holds if its part has held for `steps` consecutive control steps. */
  | { readonly hold: { readonly steps: number; readonly rule: Rule } }
  /** A predicate; the parameter `name` renames its condition in records. */
  | { readonly [predicate: string]: Readonly<Record<string, unknown>> };

export const COMBINATORS = ["all", "any", "not", "once", "sequence", "hold"] as const;
export type Combinator = (typeof COMBINATORS)[number];

export function isCombinator(key: string): key is Combinator {
  return COMBINATORS.some((name) => name === key);
}
