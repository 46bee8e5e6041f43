import type { Outcome } from "../../../../src/core/interfaces/result.js";
import type { EpisodeRow } from "../../../../src/server/view/documents.js";

/** A combination of outcome and end reason. */
export interface End {
  readonly key: string;
  readonly outcome: Outcome;
  readonly reason: string;
  readonly count: number;
  readonly byTask: ReadonlyMap<string, number>;
  readonly color: string;
}

// Distinguishable by lightness as well as by hue; reused if there are more reasons.
const COLORS: Readonly<Record<Outcome, readonly string[]>> = {
  success: ["#2f9e6a", "#7cc9a1"],
  failure: ["#c8553a", "#e79a63", "#8f5a9e", "#b98fc4", "#6b7fa8", "#d77f97"],
  invalid: ["#8b8577", "#b8b09c"],
};

const ORDER: readonly Outcome[] = ["success", "failure", "invalid"];

/** Outcomes and end reasons: successes first, then by frequency. */
export function endsOf(rows: readonly EpisodeRow[]): readonly End[] {
  const ends = new Map<string, { outcome: Outcome; reason: string; byTask: Map<string, number> }>();
  for (const { outcome, end_reason: reason, task } of rows) {
    const key = `${outcome} ${reason}`;
    const end = ends.get(key) ?? { outcome, reason, byTask: new Map<string, number>() };
    end.byTask.set(task, (end.byTask.get(task) ?? 0) + 1);
    ends.set(key, end);
  }
  const counted = [...ends].map(([key, end]) => ({
    key,
    ...end,
    count: [...end.byTask.values()].reduce((sum, n) => sum + n, 0),
  }));
  return ORDER.flatMap((outcome) =>
    counted
      .filter((end) => end.outcome === outcome)
      .sort((a, b) => b.count - a.count)
      .map((end, i) => {
        const colors = COLORS[outcome];
        return { ...end, color: colors[i % colors.length] ?? "gray" };
      }),
  );
}
