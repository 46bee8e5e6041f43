import type { EpisodeRow, Problem } from "../../../../src/server/view/documents.js";
import { useT } from "../../i18n/index.js";
import { useSentence } from "../../i18n/sentences/index.js";
import { Happened } from "./happened.js";
import { WhyScore } from "./why-score.js";

interface RowOnlyProps {
  readonly row: EpisodeRow;
  readonly problem: Problem;
}

/** Shown if the records cannot be read: the episode's row in the run's list, and the error. */
export function RowOnly({ row, problem }: RowOnlyProps) {
  const t = useT();
  const say = useSentence();
  const metrics = Object.entries(row.metrics).map(([metric, value]) => ({
    metric,
    value,
    formula: null,
    substituted: null,
    terms: [],
  }));
  return (
    <div className="episode-layout">
      <section className="card episode-stage episode-unread" role="alert">
        <h2>{t("episode.noDocument")}</h2>
        <p>{say(problem.message)}</p>
        {problem.hint && <p>{say(problem.hint)}</p>}
        {problem.where && (
          <p>
            <code>{problem.where}</code>
          </p>
        )}
      </section>
      <div className="episode-side">
        <Happened line={row} />
        <WhyScore why={metrics} />
      </div>
    </div>
  );
}
