import { useMemo } from "react";
import type { RunComparison } from "../../../../src/runs/compare/documents.js";
import type { ComparedEpisode } from "../../../../src/server/view/documents.js";
import { MetricChoice } from "../../components/metric-choice.js";
import { useT } from "../../i18n/index.js";
import { hrefOf, type PageProps } from "../../route.js";
import type { Pair } from "./pair.js";
import { Scatter } from "./scatter.js";
import { pointsOf } from "./scatter-points.js";

interface ScatterSectionProps extends PageProps {
  readonly pair: Pair;
  readonly comparison: RunComparison;
  readonly episodes: readonly ComparedEpisode[];
}

/** Every episode's value in A against its value in B. */
export function ScatterSection(props: ScatterSectionProps) {
  const { pair, comparison, episodes, query, navigate } = props;
  const t = useT();
  const tasks = [...new Set(comparison.metrics.map(({ task }) => task))];
  const task = tasks.find((name) => name === query.task);
  const rows = comparison.metrics.filter((row) => task === undefined || row.task === task);
  const names = [...new Set(rows.map((row) => row.metric))];
  const metric =
    names.find((name) => name === query.metric) ??
    rows.find((row) => row.test !== "mcnemar_score")?.metric ??
    names[0] ??
    "";
  const direction = rows.find((row) => row.metric === metric)?.direction ?? null;
  const points = useMemo(
    () =>
      pointsOf(
        episodes.filter((episode) => task === undefined || episode.task === task),
        metric,
      ),
    [episodes, task, metric],
  );
  return (
    <section className="card" aria-labelledby="scatter-title">
      <div className="card-head">
        <h2 id="scatter-title">{t("compare.scatter")}</h2>
        <div className="toolbar">
          <label className="field">
            <span className="visually-hidden">{t("run.task")}</span>
            <select
              value={task ?? ""}
              onChange={({ target }) => navigate({ task: target.value, metric: null })}
            >
              <option value="">{t("run.all_tasks")}</option>
              {tasks.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </label>
          <MetricChoice names={names} metric={metric} navigate={navigate} />
        </div>
      </div>
      <p className="muted small">{t("compare.scatter_note")}</p>
      <Scatter
        metric={metric}
        points={points}
        direction={direction}
        chosen={query.episode}
        hrefOf={(episode) =>
          hrefOf({ page: "compare", ...pair }, { ...query, episode, tab: "ghosts" })
        }
      />
    </section>
  );
}
