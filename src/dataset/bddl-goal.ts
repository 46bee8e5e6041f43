import { show } from "../core/errors.js";
import type { Expression, SourceText, Word } from "./readers/s-expression.js";

/**
 * The success condition of a task: one predicate, or several combined. Each has a name, so that a result
 * can report which of them held.
 */
export type GoalCondition =
  | { readonly name: string; readonly predicate: string; readonly arguments: readonly string[] }
  | { readonly name: string; readonly all: readonly GoalCondition[] }
  | { readonly name: string; readonly any: readonly GoalCondition[] }
  | { readonly name: string; readonly not: GoalCondition };

/**
 * BDDL also has quantifiers. LIBERO's tasks do not use them, and a wrong guess at their meaning would
 * mis-score silently.
 */
const QUANTIFIERS: ReadonlySet<string> = new Set([
  "forall",
  "exists",
  "forn",
  "forpairs",
  "fornpairs",
  "imply",
]);

/** @param known the objects, fixtures and regions that a goal may name */
export function conditionOf(
  item: Expression,
  source: SourceText,
  known: ReadonlySet<string>,
): GoalCondition {
  const [head, ...rest] = item.kind === "list" ? item.items : [];
  if (head?.kind !== "word") throw source.error(item, 'expected a condition such as "(On a b)"');
  const operator = head.text.toLowerCase();
  if (operator === "and" || operator === "or" || operator === "not") {
    return combined(
      operator,
      head,
      rest.map((part) => conditionOf(part, source, known)),
      source,
    );
  }
  if (QUANTIFIERS.has(operator)) {
    throw source.error(head, `goals with ${head.text} are not supported`, "valid: And, Or, Not");
  }
  const names = rest.map((word) => {
    if (word.kind === "word" && known.has(word.text)) return word.text;
    if (word.kind === "list") throw source.error(word, `${head.text} takes names, not conditions`);
    throw source.error(
      word,
      `${show(word.text)} is not an object, fixture or region of this task`,
      "write a region as <target>_<region>",
    );
  });
  if (names.length === 0) throw source.error(head, `${head.text} needs at least one name`);
  return { name: [operator, ...names].join(" "), predicate: head.text, arguments: names };
}

function combined(
  operator: "and" | "or" | "not",
  head: Word,
  parts: readonly GoalCondition[],
  source: SourceText,
): GoalCondition {
  const [first] = parts;
  // An empty "and" is always true, so a policy would succeed by doing nothing.
  if (!first) throw source.error(head, `${head.text} without conditions`);
  if (operator === "not") {
    if (parts.length > 1) throw source.error(head, "Not takes one condition");
    return { name: `not ${bracketed(first)}`, not: first };
  }
  const name = parts.map(bracketed).join(` ${operator} `);
  return operator === "and" ? { name, all: parts } : { name, any: parts };
}

function bracketed(condition: GoalCondition): string {
  return "predicate" in condition ? condition.name : `(${condition.name})`;
}

/** The predicates of a condition, in their order. */
export function predicatesOf(
  condition: GoalCondition,
): Extract<GoalCondition, { predicate: string }>[] {
  if ("predicate" in condition) return [condition];
  if ("not" in condition) return predicatesOf(condition.not);
  return ("all" in condition ? condition.all : condition.any).flatMap(predicatesOf);
}
