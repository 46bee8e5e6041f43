import type { Headline, RunCard } from "../../../../src/server/view/documents.js";
import { AgentName } from "../../components/agent-name.js";
import { IntervalBar } from "../../components/interval-bar.js";
import { RunProgress } from "../../components/run-progress.js";
import { SortHeader } from "../../components/sort-header.js";
import type { Order } from "../../filter/order.js";
import { tagsOf } from "../../filter/runs.js";
import { formatInterval, formatNumber, formatTime } from "../../format.js";
import { useLanguage, useT } from "../../i18n/index.js";
import { hrefOf } from "../../route.js";
import { scaleOf } from "../../scale.js";

interface RunsTableProps {
  readonly runs: readonly RunCard[];
  readonly order: Order;
  readonly onSort: (sort: string) => void;
  readonly selected: readonly string[];
  readonly onToggle: (id: string) => void;
}

export function RunsTable({ runs, order, onSort, selected, onToggle }: RunsTableProps) {
  const t = useT();
  const columns = [
    ["benchmark", t("runs.run"), "run-cell"],
    ["agent", t("runs.agent"), "agent-cell"],
    ["score", t("runs.headline"), undefined, "falling"],
    ["n", "n", "number number-cell", "falling"],
    ["invalid", t("outcome.invalid"), "number number-cell", "falling"],
    ["status", t("runs.status"), "status-cell"],
    ["started", t("runs.started"), "started-cell", "falling"],
  ] as const;
  return (
    <table className="table runs-table">
      <caption className="visually-hidden">{t("runs.caption")}</caption>
      <thead>
        <tr>
          <th scope="col" className="select-cell">
            <span className="visually-hidden">{t("runs.select")}</span>
          </th>
          {columns.map(([column, label, className, first]) => (
            <SortHeader
              key={column}
              {...{ column, label, order, onSort }}
              className={className}
              first={first}
            />
          ))}
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <RunRow
            key={run.id}
            run={run}
            mark={"AB".charAt(selected.indexOf(run.id))}
            onToggle={() => onToggle(run.id)}
          />
        ))}
      </tbody>
    </table>
  );
}

function RunRow({ run, mark, onToggle }: { run: RunCard; mark: string; onToggle: () => void }) {
  const t = useT();
  const [language] = useLanguage();
  return (
    <tr className={mark === "" ? undefined : "selected"}>
      <td className="select-cell">
        <label>
          <input
            type="checkbox"
            checked={mark !== ""}
            onChange={onToggle}
            aria-label={t("runs.select_one", { run: run.id })}
          />
          <span aria-hidden="true">{mark}</span>
        </label>
      </td>
      <th scope="row" className="run-cell">
        <a href={hrefOf({ page: "run", run: run.id })}>{run.benchmark}</a>
        {run.name !== undefined && <span className="small">{run.name}</span>}
        <span className="muted small">{[run.id, ...tagsOf(run)].join(" · ")}</span>
      </th>
      <td className="agent-cell">
        <AgentName agent={run.agent} policy={run.policy} />
      </td>
      <td className="headline-cell">
        <HeadlineList headlines={run.headlines} />
      </td>
      <td className="number" data-label="n">
        {run.episodes.total}
        {run.partial && <div className="muted small">/ {run.partial.of}</div>}
      </td>
      <td className="number" data-label={t("outcome.invalid")}>
        {run.episodes.invalid}
      </td>
      <td className="status-cell">
        <RunProgress card={run} />
        {run.warnings > 0 && (
          <span className="muted small">{t("run.warnings_n", { n: run.warnings })}</span>
        )}
      </td>
      <td className="small started-cell">
        <time dateTime={run.started_at}>{formatTime(run.started_at, language)}</time>
      </td>
    </tr>
  );
}

/** The primary metric of each task, on one line. */
function HeadlineList({ headlines }: { readonly headlines: readonly Headline[] }) {
  const t = useT();
  if (headlines.length === 0) return <span className="muted">{t("runs.no_headline")}</span>;
  return (
    <ul className="headlines">
      {headlines.map(({ task, metric, mean, ci95 }) => (
        <li key={task}>
          <span className="headline-name">
            {task} <span className="muted">{metric}</span>
          </span>
          <IntervalBar mean={mean} ci95={ci95} scale={scaleOf([0, null], [1, mean, ci95?.[1]])} />
          <span className="number">{formatNumber(mean)}</span>
          <span className="number muted small">{formatInterval(ci95)}</span>
        </li>
      ))}
    </ul>
  );
}
