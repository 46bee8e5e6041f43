import type { SuccessCriteria } from "./criteria.js";
import { type RuleNode, RuleNodes } from "./evaluate.js";
import { type FactNeeds, mergeNeeds, type Need } from "./needs.js";
import { parseRule, type RuleLeaf, type RuleTree } from "./parse.js";
import type { Predicates } from "./predicate.js";

/** Checked criteria with the evaluation state of one episode. */
export interface CompiledCriteria {
  readonly success: RuleNode;
  readonly conditions: readonly NamedNode[];
  readonly stages: readonly NamedNode[];
  readonly flags: readonly NamedNode[];
  readonly measures: readonly NamedNode[];
  readonly target: string | undefined;
  readonly needs: FactNeeds;
}

export interface NamedNode {
  readonly name: string;
  readonly node: RuleNode;
}

/** @throws DataError with the place of the first error in the rule */
export function compileCriteria(
  criteria: SuccessCriteria,
  predicates: Predicates,
): CompiledCriteria {
  const nodes = new RuleNodes();
  const success = parseRule(criteria.success, predicates);
  const leaves = leavesOf(success);
  const named = (rules: Readonly<Record<string, unknown>> | undefined, path: string) =>
    Object.entries(rules ?? {}).map(([name, rule]) => {
      const tree = parseRule(rule, predicates, `${path}.${name}`);
      leaves.push(...leavesOf(tree));
      return { name, node: nodes.node(tree) };
    });
  const conditions = distinct(nodes.conditions(success));
  const stages = criteria.stages ? named(criteria.stages, "stages") : conditions;
  const compiled = {
    success: nodes.node(success),
    conditions,
    stages,
    flags: named(criteria.flags, "flags"),
    measures: named(criteria.measures, "measures"),
  };
  const needs = leaves.flatMap(({ predicate, params }) => predicate.needs(params));
  const merged = mergeNeeds(needs);
  return {
    ...compiled,
    // The simulator's own success and flags are already in its state.
    ...(merged.onlyReported ? { conditions: [], stages: [] } : {}),
    target: criteria.target ?? firstThing(needs),
    needs: merged,
  };
}

function leavesOf(tree: RuleTree): RuleLeaf[] {
  if (tree.kind === "leaf") return [tree];
  return ("parts" in tree ? tree.parts : [tree.part]).flatMap(leavesOf);
}

function firstThing(needs: readonly Need[]): string | undefined {
  for (const need of needs) {
    if ("object" in need) return need.object;
    if ("fixture" in need) return need.fixture;
  }
  return undefined;
}

/** Numbers conditions of the same name, so that plots and explanations can distinguish them. */
function distinct(nodes: readonly RuleNode[]): NamedNode[] {
  const seen = new Map<string, number>();
  return nodes.map((node) => {
    const count = (seen.get(node.name) ?? 0) + 1;
    seen.set(node.name, count);
    return { name: count === 1 ? node.name : `${node.name} ${count}`, node };
  });
}
