import { useMemo } from "react";
import type { EpisodeRow, RunDocument } from "../../../../src/server/view/documents.js";
import { type Bin, binsOf } from "../../bins.js";
import { Histogram } from "../../components/histogram.js";
import { MetricChoice } from "../../components/metric-choice.js";
import { useT } from "../../i18n/index.js";
import { useSentence } from "../../i18n/sentences/index.js";
import { hrefOf, type PageProps } from "../../route.js";

interface DistributionProps extends PageProps {
  readonly run: string;
  readonly document: RunDocument;
  readonly tasks: readonly string[];
  readonly rows: readonly EpisodeRow[];
}

/** The distribution of one metric over the episodes of one task, or of all. */
export function Distribution(props: DistributionProps) {
  const { run, document, tasks, rows, query, navigate } = props;
  const t = useT();
  const say = useSentence();
  const task = tasks.find((name) => name === query.task);
  const names = useMemo(() => metricsOf(document, task), [document, task]);
  // The primary metric is usually 0 or 1, so its histogram adds nothing to the rates above.
  const usual = useMemo(() => names.find((name) => !isBinary(name, rows)), [names, rows]);
  const metric = names.find((name) => name === query.metric) ?? usual ?? names[0] ?? "";
  const values = useMemo(
    () =>
      rows
        .filter((row) => task === undefined || row.task === task)
        .flatMap((row) => row.metrics[metric] ?? []),
    [rows, task, metric],
  );
  const bins = useMemo(() => binsOf(values), [values]);
  const filterOf = ({ from, to }: Bin, last: boolean) =>
    `${metric}>=${from} ${metric}${last ? "<=" : "<"}${to}`;
  return (
    <section className="card" aria-labelledby="distribution-title">
      <div className="card-head">
        <h2 id="distribution-title">{t("run.distribution")}</h2>
        <MetricChoice names={names} metric={metric} navigate={navigate} />
      </div>
      <p className="muted small">
        {task ?? t("run.all_tasks")}, n = {values.length}.{" "}
        {say(document.metrics[metric]?.summary ?? "")}
      </p>
      <Histogram
        label={`${t("run.distribution")}: ${metric}`}
        bins={bins}
        hrefOf={(bin, last) =>
          hrefOf({ page: "run", run }, { ...query, filter: filterOf(bin, last), tab: "episodes" })
        }
      />
    </section>
  );
}

function metricsOf({ summary }: RunDocument, task: string | undefined): readonly string[] {
  const tables = task ? [summary.per_task[task] ?? {}] : Object.values(summary.per_task);
  return [...new Set(tables.flatMap((table) => Object.keys(table)))];
}

function isBinary(metric: string, rows: readonly EpisodeRow[]): boolean {
  return rows.every(({ metrics }) => [0, 1, null].includes(metrics[metric] ?? null));
}
