import type { EpisodeDocument, EpisodeRow } from "../../../../src/server/view/documents.js";
import { Facts } from "../../components/facts.js";
import { formatMs } from "../../format.js";
import { useT } from "../../i18n/index.js";
import { useSentence } from "../../i18n/sentences/index.js";

type Line = EpisodeDocument["line"];

interface HappenedProps {
  readonly instruction?: string | null;
  /** The episode's result; a row of the run's list has fewer fields. */
  readonly line: Pick<EpisodeRow, "outcome" | "explanation" | "end_reason" | "steps" | "wall_ms"> &
    Partial<Pick<Line, "error" | "actions" | "agent_latency_ms" | "profile">>;
}

/** The instruction, and the explanation of the outcome. */
export function Happened({ instruction, line }: HappenedProps) {
  const t = useT();
  const say = useSentence();
  const { agent_latency_ms: latency } = line;
  return (
    <section className="card episode-happened" data-outcome={line.outcome}>
      {instruction && (
        <>
          <h2>{t("episode.instruction")}</h2>
          <p className="episode-instruction">{instruction}</p>
        </>
      )}
      <h2>{t("episode.happened")}</h2>
      <p className="episode-explanation">{say(line.explanation)}</p>
      {line.error && (
        <p>
          <code>{line.error.code}</code> {say(line.error.message)}
        </p>
      )}
      <Facts
        className="facts"
        facts={[
          [t("episode.endReason"), line.end_reason],
          [t("episode.steps"), line.steps],
          [t("episode.actions"), line.actions ?? null],
          [t("episode.wall"), formatMs(line.wall_ms)],
          [t("episode.latency"), latency ? formatMs(latency.p50) : null],
          [t("episode.profile"), line.profile ?? null],
        ]}
      />
    </section>
  );
}
