import type { RunPlan } from "../plan/prepare.js";
import type { DuelComparison, DuelDocument, DuelSettings } from "./duel-document.js";
import { type Comparison, type DuelState, loserOf } from "./duel-state.js";

type Results = Pick<DuelDocument, "comparisons" | "ranks" | "episodes" | "flipped">;

/** The results of a duel so far; empty before its runs have begun. */
export function resultsOf(
  { policies, metric }: DuelSettings,
  plan: RunPlan | undefined,
  state: DuelState | undefined,
): Results {
  if (!plan || !state) {
    return { comparisons: [], ranks: {}, episodes: { used: 0, of: 0, saved: 0 }, flipped: [] };
  }
  const { repeats } = plan.loaded.config.evaluation;
  const names = plan.tasks.map(({ task }) => task.name);
  const sizes = plan.tasks.map(({ episodes }) => episodes.length);
  const live = policies.flatMap(({ recorded }, policy) => (recorded === undefined ? [policy] : []));
  const of = sizes.reduce((sum, size) => sum + size, 0) * live.length * repeats;
  const counts = names.flatMap((name) => live.map((policy) => state.counted(policy, name)));
  const used = counts.reduce((sum, count) => sum + count, 0) * repeats;
  const primaryOf = (name: string) =>
    metric ?? plan.tasks.find(({ task }) => task.name === name)?.task.summaryTask.primaryMetric;
  return {
    comparisons: state.comparisons.map((one) =>
      comparisonOf(one, primaryOf(one.task) ?? "", state.level),
    ),
    ranks: Object.fromEntries(
      names.map((name) => [name, ranksOf(state.comparisons, name, policies.length)]),
    ),
    episodes: { used, of, saved: of - used },
    flipped: state.flipped().map(({ key, solved }) => ({
      episode_key: key,
      solved_by: solved.flatMap((isSolved, policy) => (isSolved === true ? [policy] : [])),
      failed_by: solved.flatMap((isSolved, policy) => (isSolved === false ? [policy] : [])),
    })),
  };
}

function comparisonOf(
  { task, a, b, sequence, verdict }: Comparison,
  metric: string,
  level: number,
): DuelComparison {
  const [meanA, meanB] = sequence.means ?? [null, null];
  const [low, high] = sequence.interval(level);
  return {
    ...{ task, metric, a, b },
    verdict:
      typeof verdict === "number" ? (verdict === a ? "better" : "worse") : (verdict ?? "undecided"),
    pairs: sequence.count,
    only_a: sequence.onlyA,
    only_b: sequence.onlyB,
    mean_a: meanA,
    mean_b: meanB,
    difference: meanA === null || meanB === null ? null : meanB - meanA,
    ci95: [low, high],
    ci_method: "sequential",
  };
}

/**
 * The ranks that each policy can have on a task, given all verdicts and what follows from them: if A is better than B and B
 * better than C, A is better than C.
 */
function ranksOf(
  comparisons: readonly Comparison[],
  task: string,
  policies: number,
): (readonly [number, number])[] {
  const better = new Map<number, Set<number>>();
  const all = Array.from({ length: policies }, (_, i) => i);
  for (const policy of all) better.set(policy, new Set());
  for (const comparison of comparisons) {
    const loser = loserOf(comparison);
    if (comparison.task !== task || loser === undefined) continue;
    better.get(loser === comparison.a ? comparison.b : comparison.a)?.add(loser);
  }
  for (const through of all) {
    for (const own of better.values()) {
      if (own.has(through)) for (const loser of better.get(through) ?? []) own.add(loser);
    }
  }
  return all.map((policy) => {
    const above = all.filter((other) => better.get(other)?.has(policy)).length;
    return [1 + above, policies - (better.get(policy)?.size ?? 0)] as const;
  });
}
