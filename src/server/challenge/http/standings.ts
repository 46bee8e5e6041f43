import { compareAdjacentRows, type EpisodeValues } from "./adjacent-rows.js";
import type { LeaderboardRow, Score } from "./documents.js";

/** A team's best completed submission of a phase. */
export interface Standing
  extends Pick<
    LeaderboardRow,
    "team" | "affiliation" | "submission" | "policy" | "submitted_at" | "attempts" | "scores"
  > {
  readonly episodes: EpisodeValues;
}

/**
 * Compares two scores for sorting: negative if `one` is better, 0 if they are equal. A missing value is worse than any
 * other.
 */
export function byScore(one: Score | undefined, other: Score | undefined): number {
  const lower = (one ?? other)?.direction === "lower";
  const worst = lower ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  const a = one?.mean ?? worst;
  const b = other?.mean ?? worst;
  if (a === b) return 0;
  return (lower ? a < b : a > b) ? -1 : 1;
}

/** The rows of a leaderboard, best first. */
export function rank(
  standings: readonly Standing[],
  metric: string,
): { readonly rows: readonly LeaderboardRow[]; readonly tests: number } {
  const score = ({ scores }: Standing) => scores[metric];
  const ordered = [...standings].sort(
    (a, b) =>
      byScore(score(a), score(b)) ||
      Date.parse(a.submitted_at) - Date.parse(b.submitted_at) ||
      (a.team < b.team ? -1 : 1),
  );
  const { tests, comparisons } = compareAdjacentRows(ordered.map(({ episodes }) => episodes));
  const alike = (i: number, j: number) => {
    const [a, b] = [ordered[i], ordered[j]];
    return a !== undefined && b !== undefined && byScore(score(a), score(b)) === 0;
  };
  let position = 1;
  const rows = ordered.map((standing, i): LeaderboardRow => {
    if (!alike(i - 1, i)) position = i + 1;
    const { episodes: _, ...shown } = standing;
    return {
      rank: position,
      tied: alike(i - 1, i) || alike(i, i + 1),
      ...shown,
      above: comparisons[i] ?? null,
    };
  });
  return { rows, tests };
}
