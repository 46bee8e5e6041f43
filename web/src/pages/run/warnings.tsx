import { memo } from "react";
import type { FaultyEpisode } from "../../../../src/core/interfaces/result.js";
import type { RunDocument } from "../../../../src/server/view/documents.js";
import { useT } from "../../i18n/index.js";
import { useSentence } from "../../i18n/sentences/index.js";

/** Warnings and faults that affect how the numbers are read. */
export const Warnings = memo(function Warnings({ document }: { readonly document: RunDocument }) {
  const t = useT();
  const say = useSentence();
  const { info, summary, card } = document;
  const { invalid_episodes: invalid, broken_off_episodes: broken } = summary;
  const { partial } = card;
  const isNoted = partial !== undefined || card.status === "stale";
  if (info.warnings.length + invalid.length + broken.length === 0 && !isNoted) return null;
  return (
    <section className="card notice" aria-labelledby="warnings-title">
      <h2 id="warnings-title">{t("run.warnings")}</h2>
      {card.status === "stale" && <p>{t("run.stale")}</p>}
      {partial && <p>{t("run.partial_note", { scored: partial.scored, of: partial.of })}</p>}
      {info.warnings.length > 0 && (
        <ul>
          {info.warnings.map((warning) => (
            <li key={warning} className="preserve">
              {say(warning)}
            </li>
          ))}
        </ul>
      )}
      <Faults title={t("run.invalid_episodes")} episodes={invalid} />
      <Faults title={t("run.broken_off")} episodes={broken} />
    </section>
  );
});

function Faults({ title, episodes }: { title: string; episodes: readonly FaultyEpisode[] }) {
  if (episodes.length === 0) return null;
  return (
    <details>
      <summary>
        {title} ({episodes.length})
      </summary>
      <ul>
        {episodes.map(({ episode_key, fault, code, message }) => (
          <li key={episode_key} className="preserve">
            <code>{episode_key}</code>: {message}{" "}
            <span className="muted">
              ({fault}, {code})
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
