import { memo, useMemo } from "react";
import type { EpisodeRow } from "../../../../src/server/view/documents.js";
import { type Segment, StackedBar } from "../../components/stacked-bar.js";
import { useT } from "../../i18n/index.js";
import { hrefOf } from "../../route.js";
import { endsOf } from "./ends.js";

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
