import type { RunCard } from "../../../../src/server/view/documents.js";
import { AgentName } from "../../components/agent-name.js";
import { RunProgress } from "../../components/run-progress.js";
import { SortHeader } from "../../components/sort-header.js";
import type { Order } from "../../filter/order.js";
import { formatTime } from "../../format.js";
import { useLanguage, useT } from "../../i18n/index.js";
import { hrefOf } from "../../route.js";
import { HeadlineList } from "./headline-list.js";

interface RunsTableProps {
  readonly runs: readonly RunCard[];
  readonly order: Order;
  readonly onSort: (sort: string) => void;
  readonly selected: readonly string[];
  readonly onToggle: (id: string) => void;
}

export function RunsTable({ runs, order, onSort, selected, onToggle }: RunsTableProps) {
  const t = useT();
  const sorting = { order, onSort };
  return (
    <table className="table runs-table">
      <caption className="visually-hidden">{t("runs.caption")}</caption>
      <thead>
        <tr>
          <th scope="col" className="select-cell">
            <span className="visually-hidden">{t("runs.select")}</span>
          </th>
          <SortHeader column="benchmark" label={t("runs.run")} className="run-cell" {...sorting} />
          <SortHeader column="agent" label={t("runs.agent")} className="agent-cell" {...sorting} />
          <SortHeader column="score" label={t("runs.headline")} first="falling" {...sorting} />
          <SortHeader
            column="n"
            label="n"
            className="number number-cell"
            first="falling"
            {...sorting}
          />
          <SortHeader
            column="invalid"
            label={t("outcome.invalid")}
            className="number number-cell"
            first="falling"
            {...sorting}
          />
          <SortHeader
            column="status"
            label={t("runs.status")}
            className="status-cell"
            {...sorting}
          />
          <SortHeader
            column="started"
            label={t("runs.started")}
            className="started-cell"
            first="falling"
            {...sorting}
          />
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
        <span className="muted small">{run.id}</span>
      </th>
      <td className="agent-cell">
        <AgentName agent={run.agent} />
      </td>
      <td className="headline-cell">
        <HeadlineList headlines={run.headlines} />
      </td>
      <td className="number" data-label="n">
        {run.episodes.total}
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
