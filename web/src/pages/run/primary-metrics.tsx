import { memo } from "react";
import type { RunDocument } from "../../../../src/server/view/documents.js";
import { IntervalBar } from "../../components/interval-bar.js";
import { formatInterval, formatNumber, unitText } from "../../format.js";
import { useT } from "../../i18n/index.js";
import { useSentence } from "../../i18n/sentences/index.js";
import { scaleOf } from "../../scale.js";

/** The primary metrics, each with its interval and n. */
export const PrimaryMetrics = memo(function PrimaryMetrics({
  document,
  tasks,
}: {
  readonly document: RunDocument;
  readonly tasks: readonly string[];
}) {
  const t = useT();
  const say = useSentence();
  const { summary, metrics } = document;
  return (
    <section id="metrics" aria-labelledby="metrics-title">
      <h2 id="metrics-title" className="visually-hidden">
        {t("run.section.metrics")}
      </h2>
      {tasks.length === 0 && <p className="muted">{t("runs.no_headline")}</p>}
      <ul className="big-numbers">
        {tasks.map((task) => {
          const name = summary.primary_metrics[task] ?? "";
          const metric = summary.per_task[task]?.[name];
          if (!metric) return null;
          const { mean, ci95, count, n_invalid, unit } = metric;
          return (
            <li key={task} className="card">
              <h3>{task}</h3>
              <p className="muted small" title={say(metrics[name]?.summary ?? "")}>
                {name}
                {unitText(unit, " ")}
              </p>
              <p className="big-number" data-task={task} data-metric={name}>
                {formatNumber(mean)}
              </p>
              <IntervalBar
                mean={mean}
                ci95={ci95}
                scale={scaleOf(metrics[name]?.range, [mean, ...(ci95 ?? [])])}
              />
              <p className="small">
                <span className="number">{formatInterval(ci95)}</span>{" "}
                <span className="muted">
                  n = {count}
                  {n_invalid > 0 && `, ${t("run.n_invalid", { n: n_invalid })}`}
                </span>
              </p>
            </li>
          );
        })}
      </ul>
    </section>
  );
});
