import { type Token, tokensOf } from "./tokens.js";

export type Operator = "<" | "<=" | ">" | ">=" | "=" | "!=";

/** A condition on a row; all terms of a filter must match. */
export type Term =
  | {
      readonly kind: "text";
      readonly field: string;
      /** Alternatives; `*` matches anything. */
      readonly patterns: readonly string[];
      readonly negated: boolean;
    }
  | {
      readonly kind: "number";
      readonly field: string;
      readonly operator: Operator;
      /** Null means `none`: the row has no such number. */
      readonly value: number | null;
      readonly negated: boolean;
    }
  | { readonly kind: "word"; readonly word: string; readonly negated: boolean };

/** An error in a token of a filter. The page translates the code to a message. */
export interface FilterError {
  readonly code: "unknown_field" | "no_value" | "not_a_number" | "not_comparable" | "open_quote";
  readonly token: string;
  readonly field: string;
  /** A suggested field. */
  readonly nearest: string | null;
}

/** The fields that a filter may name. */
export interface FieldNames {
  readonly texts: readonly string[];
  readonly numbers: readonly string[];
}

export interface ParsedFilter {
  readonly terms: readonly Term[];
  readonly errors: readonly FilterError[];
}

const CONDITION = /^([^\s:<>=!]+)(:|<=|>=|!=|<|>|=)(.*)$/s;

/**
 * `outcome:failure,invalid scene:apartment/1* spl<0.5 -end:stop "left the room"`: fields with values (a comma for
 * "or", a star for anything), numbers with bounds, and words to search in the text; a minus negates a term.
 */
export function parseFilter(filter: string, names: FieldNames): ParsedFilter {
  const terms: Term[] = [];
  const errors: FilterError[] = [];
  for (const token of tokensOf(filter)) {
    const parsed = parseToken(token, names);
    if ("code" in parsed) errors.push(parsed);
    else terms.push(parsed);
  }
  return { terms, errors };
}

function parseToken(token: Token, names: FieldNames): Term | FilterError {
  const { text, negated, quoted, open } = token;
  if (open) return { code: "open_quote", token: text, field: "", nearest: null };
  const condition = quoted ? null : CONDITION.exec(text);
  if (!condition) return { kind: "word", word: text.toLowerCase(), negated };
  const [, name = "", operator = "", value = ""] = condition;
  const field = name.toLowerCase();
  const wrong = (code: FilterError["code"], meant: string | null = null): FilterError => ({
    code,
    token: text,
    field,
    nearest: meant,
  });
  const isNumber = names.numbers.includes(field);
  if (!isNumber && !names.texts.includes(field))
    return wrong("unknown_field", nearest(field, [...names.texts, ...names.numbers]));
  if (value === "") return wrong("no_value");
  if (isNumber) {
    const known = value.toLowerCase() === "none" ? null : Number(value);
    const sign = operator === ":" ? "=" : (operator as Operator);
    if (Number.isNaN(known)) return wrong("not_a_number");
    if (known === null && sign !== "=" && sign !== "!=") return wrong("not_a_number");
    return { kind: "number", field, operator: sign, value: known, negated };
  }
  if (operator !== ":" && operator !== "=" && operator !== "!=") return wrong("not_comparable");
  const patterns = value
    .toLowerCase()
    .split(",")
    .filter((part) => part !== "");
  if (patterns.length === 0) return wrong("no_value");
  return { kind: "text", field, patterns, negated: operator === "!=" ? !negated : negated };
}

/** The name with the smallest edit distance, if it is small. */
function nearest(name: string, names: readonly string[]): string | null {
  let best: string | null = null;
  let least = Math.max(1, Math.floor(name.length / 3)) + 1;
  for (const candidate of names) {
    const distance = candidate.startsWith(name) ? 1 : editDistance(name, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

/** Levenshtein: insertions, deletions and replacements. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a.charAt(i - 1) === b.charAt(j - 1);
      const replaced = (row[j - 1] ?? 0) + (same ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
