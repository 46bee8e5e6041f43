import { memo, useMemo } from "react";
import type { Outcome } from "../../../../src/core/interfaces/result.js";
import type { EpisodeRow } from "../../../../src/server/view/documents.js";
import { useT } from "../../i18n/index.js";
import { hrefOf } from "../../route.js";

/** Outcomes and end reasons, with one bar per task. */
export const EndReasons = memo(function EndReasons({
  run,
  tasks,
  rows,
}: {
  readonly run: string;
  readonly tasks: readonly string[];
  readonly rows: readonly EpisodeRow[];
}) {
  const t = useT();
  const ends = useMemo(() => endsOf(rows), [rows]);
  const segmentsOf = (task: string): Segment[] =>
    ends
      .map(({ key, outcome, reason, color, byTask }) => ({
        key,
        label: `${t(`outcome.${outcome}`)}: ${reason}`,
        count: byTask.get(task) ?? 0,
        color,
      }))
      .filter(({ count }) => count > 0);
  return (
    <section id="ends" aria-labelledby="ends-title" className="card">
      <h2 id="ends-title">{t("run.section.ends")}</h2>
      <div className="ends">
        {tasks.map((task) => {
          const segments = segmentsOf(task);
          return (
            <div key={task} className="ends-row">
              <span>{task}</span>
              <StackedBar label={task} segments={segments} />
              <span className="number muted">
                {segments.reduce((sum, { count }) => sum + count, 0)}
              </span>
            </div>
          );
        })}
      </div>
      <ul className="legend">
        {ends.map(({ key, outcome, reason, color, count }) => (
          <li key={key}>
            <span className="swatch" style={{ background: color }} />
            <a
              href={hrefOf(
                { page: "run", run },
                { filter: `outcome:${outcome} end:${reason}`, tab: "episodes" },
              )}
            >
              {t(`outcome.${outcome}`)}: {reason}
            </a>
            <span className="muted">{count}</span>
          </li>
        ))}
      </ul>
    </section>
  );
});

interface Segment {
  readonly key: string;
  readonly label: string;
  readonly count: number;
  readonly color: string;
}

/** Shares of a total as adjacent segments. */
function StackedBar({ label, segments }: { label: string; segments: readonly Segment[] }) {
  const words = segments.map((segment) => `${segment.label} ${segment.count}`).join(", ");
  return (
    <div className="stacked" role="img" aria-label={`${label}: ${words}`}>
      {segments.map(({ key, label: name, count, color }) => (
        <span
          key={key}
          title={`${name}: ${count}`}
          style={{ flexGrow: count, flexBasis: 0, background: color }}
        />
      ))}
    </div>
  );
}

/** A combination of outcome and end reason. */
interface End {
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
function endsOf(rows: readonly EpisodeRow[]): readonly End[] {
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
