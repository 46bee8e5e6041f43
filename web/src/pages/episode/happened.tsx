import type { EpisodeDocument } from "../../../../src/server/view/documents.js";
import { formatMs } from "../../format.js";
import { useT } from "../../i18n/index.js";
import { useSentence } from "../../i18n/sentences/index.js";

/** The instruction, and the explanation of the outcome. */
export function Happened({ document }: { readonly document: EpisodeDocument }) {
  const t = useT();
  const say = useSentence();
  const { line, instruction } = document;
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
      <dl className="facts">
        <dt>{t("episode.endReason")}</dt>
        <dd>{line.end_reason}</dd>
        <dt>{t("episode.steps")}</dt>
        <dd>{line.steps}</dd>
        <dt>{t("episode.wall")}</dt>
        <dd>{formatMs(line.wall_ms)}</dd>
        {line.agent_latency_ms && (
          <>
            <dt>{t("episode.latency")}</dt>
            <dd>{formatMs(line.agent_latency_ms.p50)}</dd>
          </>
        )}
        <dt>{t("episode.profile")}</dt>
        <dd>{line.profile}</dd>
      </dl>
    </section>
  );
}
