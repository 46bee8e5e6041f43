import { DataError, show } from "../errors.js";
import { isRecord } from "../record.js";
import { suggestion } from "../registry.js";
import type { MeasuredPredicate, Predicates } from "./predicate.js";
import { COMBINATORS, type Combinator, isCombinator } from "./rule.js";

/** A checked rule: each leaf has its predicate and complete parameters. */
export type RuleTree =
  | { readonly kind: "all" | "any" | "sequence"; readonly parts: readonly RuleTree[] }
  | { readonly kind: "not" | "once"; readonly part: RuleTree }
  | { readonly kind: "hold"; readonly steps: number; readonly part: RuleTree }
  | RuleLeaf;

export interface RuleLeaf {
  readonly kind: "leaf";
  readonly predicate: MeasuredPredicate;
  readonly params: unknown;
  /** Name of its condition in records. */
  readonly name: string;
}

/** Limits the recursion of a plugin's predicate that expands to itself. */
const MAX_DEPTH = 32;

/**
 * Checks a rule and expands its compound predicates.
 *
 * @param path of the rule in its document, for errors
 * @throws DataError that names the place in the rule and what is valid there
 */
export function parseRule(
  raw: unknown,
  predicates: Predicates,
  path = "rule",
  depth = 0,
): RuleTree {
  const [key, body] = onlyEntry(raw, predicates, path);
  if (depth > MAX_DEPTH) throw badRule(path, `rules are nested more than ${MAX_DEPTH} levels deep`);
  const inside = (part: unknown, at: string) => parseRule(part, predicates, at, depth + 1);
  if (isCombinator(key)) return combined(key, body, `${path}.${key}`, inside);
  const predicate = predicates.find(key);
  if (!predicate) {
    throw badRule(
      `${path}.${key}`,
      `unknown predicate "${key}"`,
      suggestion(key, [...COMBINATORS, ...predicates.list()]),
      "unknown_predicate",
    );
  }
  const { name, ...own } = isRecord(body) ? body : { name: undefined };
  if (!isRecord(body) || (name !== undefined && typeof name !== "string")) {
    throw badRule(`${path}.${key}`, `expected ${key}'s parameters, got ${show(body)}`);
  }
  const params = predicate.params.safeParse(own);
  if (!params.success) {
    const issue = deepest(params.error.issues);
    const at = [path, key, ...issue.path.map(String)].join(".");
    throw badRule(at, `${issue.message}, got ${show(body)}`, `${key}: ${predicate.summary}`);
  }
  if ("rule" in predicate) return inside(predicate.rule(params.data), `${path}.${key}`);
  return { kind: "leaf", predicate, params: params.data, name: name ?? key };
}

function onlyEntry(raw: unknown, predicates: Predicates, path: string): [string, unknown] {
  const entries = isRecord(raw) ? Object.entries(raw) : [];
  const [entry, ...others] = entries;
  if (entry && others.length === 0) return entry;
  throw badRule(
    path,
    entry
      ? `a rule has one key, got ${entries.map(([key]) => `"${key}"`).join(", ")}`
      : `expected a rule such as {on: {object: cup, base: plate}}, got ${show(raw)}`,
    `combine several with all or any; valid: ${[...COMBINATORS, ...predicates.list()].join(", ")}`,
  );
}

function combined(
  kind: Combinator,
  body: unknown,
  path: string,
  inside: (part: unknown, at: string) => RuleTree,
): RuleTree {
  switch (kind) {
    case "all":
    case "any":
    case "sequence": {
      // An empty `all` would hold from the first step on.
      if (!Array.isArray(body) || body.length === 0) {
        throw badRule(path, `expected a list of rules, got ${show(body)}`);
      }
      return { kind, parts: body.map((part, i) => inside(part, `${path}[${i}]`)) };
    }
    case "not":
    case "once":
      return { kind, part: inside(body, path) };
    case "hold": {
      const { steps, rule } = isRecord(body) ? body : { steps: undefined, rule: undefined };
      if (typeof steps !== "number" || !Number.isInteger(steps) || steps < 1) {
        throw badRule(
          `${path}.steps`,
          `expected a positive integer number of control steps, got ${show(steps)}`,
          "hold: {steps: 10, rule: {...}}",
        );
      }
      return { kind, steps, part: inside(rule, `${path}.rule`) };
    }
  }
}

interface Issue {
  readonly message: string;
  readonly path: readonly PropertyKey[];
  readonly errors?: readonly (readonly Issue[])[];
}

/** For a union, the issue of the alternative that matched the deepest path. */
function deepest(issues: readonly object[]): Issue {
  const [issue] = issues as readonly Issue[];
  if (!issue) return { message: "not valid", path: [] };
  const inner = (issue.errors ?? []).map((errors) => deepest(errors));
  const [best] = inner.sort((a, b) => b.path.length - a.path.length);
  return best ? { message: best.message, path: [...issue.path, ...best.path] } : issue;
}

function badRule(where: string, message: string, hint?: string, code = "bad_rule") {
  return new DataError(code, message, { where, hint });
}
