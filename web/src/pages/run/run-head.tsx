import { memo } from "react";
import type { RunDocument } from "../../../../src/server/view/documents.js";
import { AgentName } from "../../components/agent-name.js";
import { RunProgress } from "../../components/run-progress.js";
import { formatMs, formatTime } from "../../format.js";
import { useLanguage, useT } from "../../i18n/index.js";

/** Benchmark, agent and progress of the run. */
export const RunHead = memo(function RunHead({ document }: { readonly document: RunDocument }) {
  const t = useT();
  const [language] = useLanguage();
  const { card, summary } = document;
  const { success, failure, invalid, total } = card.episodes;
  return (
    <div className="run-head">
      <div className="run-title">
        <h1>{card.benchmark}</h1>
        <RunProgress card={card} />
      </div>
      <dl className="fact-line">
        <div>
          <dt>{t("runs.agent")}</dt>
          <dd>
            <AgentName agent={card.agent} />
          </dd>
        </div>
        <div>
          <dt>{t("run.episodes")}</dt>
          <dd>
            {total} ({success} {t("outcome.success")}, {failure} {t("outcome.failure")}, {invalid}{" "}
            {t("outcome.invalid")})
          </dd>
        </div>
        {summary.repeats > 1 && (
          <div>
            <dt>{t("run.repeats")}</dt>
            <dd>{summary.repeats}</dd>
          </div>
        )}
        <div>
          <dt>{t("run.seed")}</dt>
          <dd>{card.seed}</dd>
        </div>
        <div>
          <dt>{t("runs.started")}</dt>
          <dd>
            <time dateTime={card.started_at}>{formatTime(card.started_at, language)}</time>
          </dd>
        </div>
        {card.finished_at && (
          <div>
            <dt>{t("run.took")}</dt>
            <dd>{formatMs(Date.parse(card.finished_at) - Date.parse(card.started_at))}</dd>
          </div>
        )}
      </dl>
    </div>
  );
});
