import { memo } from "react";
import type { RunDocument } from "../../../../src/server/view/documents.js";
import { useT } from "../../i18n/index.js";
import { MetricTable } from "./metric-table.js";

/** All metrics by task, worst task first, and over all tasks. */
export const TaskMetrics = memo(function TaskMetrics({
  document,
  tasks,
}: {
  readonly document: RunDocument;
  readonly tasks: readonly string[];
}) {
  const t = useT();
  const { summary, metrics } = document;
  const pooled = Object.entries(summary.aggregated_metrics).filter(([, metric]) => metric.pooling);
  return (
    <section id="tasks" aria-labelledby="tasks-title" className="stack">
      <div>
        <h2 id="tasks-title">{t("run.section.tasks")}</h2>
        <p className="muted small">{t("run.tasks_note")}</p>
      </div>
      <div className="columns">
        {tasks.map((task) => (
          <div key={task} className="card">
            <h3>
              {task} <span className="muted small">{summary.profiles[task]}</span>
            </h3>
            <MetricTable
              title={task}
              table={summary.per_task[task] ?? {}}
              primary={summary.primary_metrics[task]}
              notes={metrics}
            />
            <EarlyStopNote document={document} task={task} />
          </div>
        ))}
        {pooled.length > 0 && (
          <div className="card">
            <h3>{t("run.all_tasks")}</h3>
            <MetricTable
              title={t("run.all_tasks")}
              table={Object.fromEntries(pooled)}
              primary={undefined}
              notes={metrics}
            />
          </div>
        )}
      </div>
    </section>
  );
});

function EarlyStopNote({ document, task }: { document: RunDocument; task: string }) {
  const t = useT();
  const stop = document.summary.early_stop?.[task];
  if (!stop) return null;
  const { counted, of, half_width = "", against } = stop;
  if (against) {
    const key = stop.reached ? "run.duel_stop" : "run.duel_not_stopped";
    return <p className="muted small">{t(key, { counted, of, against: against.join(", ") })}</p>;
  }
  const key = stop.reached
    ? "run.early_stop"
    : counted < of
      ? "run.early_stop_live"
      : "run.early_stop_not";
  return <p className="muted small">{t(key, { counted, of, half_width })}</p>;
}
