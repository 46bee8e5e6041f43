import type { StressReport } from "../../../../src/runs/stress/documents.js";
import { AgentName } from "../../components/agent-name.js";
import { StatusBadge } from "../../components/badge.js";
import { Facts } from "../../components/facts.js";
import { formatInterval, formatNumber, formatTime } from "../../format.js";
import { useLanguage, useT } from "../../i18n/index.js";
import { useSentence } from "../../i18n/sentences/index.js";
import { hrefOf } from "../../route.js";

/** Benchmark, agent and the unperturbed run. */
export function StressHead({ report }: { readonly report: StressReport }) {
  const t = useT();
  const say = useSentence();
  const [language] = useLanguage();
  const { baseline, early_stop, notes, axes } = report;
  const skipped = axes.flatMap(({ axis, skipped_tasks }) =>
    skipped_tasks.map((one) => ({ axis, ...one })),
  );
  return (
    <div className="run-head">
      <div className="run-title">
        <h1>
          {t("stress.title")}: {report.benchmark}
        </h1>
        <StatusBadge status={report.status} />
      </div>
      <Facts
        className="fact-line"
        facts={[
          [t("runs.agent"), <AgentName key="agent" agent={report.agent} policy={report.policy} />],
          [
            t("stress.baseline"),
            <a key="baseline" href={hrefOf({ page: "run", run: baseline.run })}>
              {formatNumber(baseline.success)} {formatInterval(baseline.ci95)}
            </a>,
          ],
          [t("stress.episodes"), baseline.total],
          [t("outcome.invalid"), baseline.invalid > 0 ? baseline.invalid : null],
          [t("run.seed"), report.seed],
          [t("runs.started"), formatTime(report.started_at, language)],
        ]}
      />
      {early_stop && (
        <p className="muted small">
          {t("stress.early_stop", {
            half_width: early_stop.half_width,
            min: early_stop.min_episodes,
          })}
        </p>
      )}
      {notes.length + skipped.length > 0 && (
        <ul className="card notice notes">
          {notes.map((note) => (
            <li key={note}>{say(note)}</li>
          ))}
          {skipped.map(({ axis, task, reason }) => (
            <li key={`${axis} ${task}`}>
              {t("stress.skipped", { axis, task, reason: say(reason) })}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
