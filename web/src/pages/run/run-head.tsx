import { memo } from "react";
import type { RunDocument } from "../../../../src/server/view/documents.js";
import { AgentName } from "../../components/agent-name.js";
import { Facts } from "../../components/facts.js";
import { RunProgress } from "../../components/run-progress.js";
import { tagsOf } from "../../filter/runs.js";
import { formatMs, formatTime } from "../../format.js";
import { useLanguage, useT } from "../../i18n/index.js";

/** Benchmark, agent and progress of the run. */
export const RunHead = memo(function RunHead({ document }: { readonly document: RunDocument }) {
  const t = useT();
  const [language] = useLanguage();
  const { card, summary } = document;
  const { total } = card.episodes;
  const counts = (["success", "failure", "invalid"] as const)
    .map((outcome) => `${card.episodes[outcome]} ${t(`outcome.${outcome}`)}`)
    .join(", ");
  return (
    <div className="run-head">
      <div className="run-title">
        <h1>{card.benchmark}</h1>
        <RunProgress card={card} />
      </div>
      <Facts
        className="fact-line"
        facts={[
          [t("run.name"), card.name ?? null],
          [t("runs.agent"), <AgentName key="agent" agent={card.agent} policy={card.policy} />],
          [t("run.episodes"), `${total}${card.partial ? ` / ${card.partial.of}` : ""} (${counts})`],
          [t("run.tags"), tagsOf(card).join(", ") || null],
          [
            t("run.selected"),
            summary.selected
              ? t("run.selected_of", { n: summary.selected.episodes, of: summary.selected.of })
              : null,
          ],
          [t("run.repeats"), summary.repeats > 1 ? summary.repeats : null],
          [t("run.seed"), card.seed],
          [
            t("runs.started"),
            <time key="started" dateTime={card.started_at}>
              {formatTime(card.started_at, language)}
            </time>,
          ],
          [
            t("run.took"),
            card.finished_at &&
              formatMs(Date.parse(card.finished_at) - Date.parse(card.started_at)),
          ],
        ]}
      />
    </div>
  );
});
