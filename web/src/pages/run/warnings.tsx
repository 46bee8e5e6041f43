import { memo } from "react";
import type { FaultyEpisode } from "../../../../src/core/interfaces/result.js";
import type { RunDocument } from "../../../../src/server/view/documents.js";
import { isAllInvalid } from "../../components/run-progress.js";
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
  const allInvalid = isAllInvalid(card);
  return (
    <section
      className={`card notice ${allInvalid ? "all-invalid" : ""}`}
      aria-labelledby="warnings-title"
    >
      <h2 id="warnings-title">{t("run.warnings")}</h2>
      {allInvalid && <AllInvalid total={card.episodes.total} episodes={invalid} />}
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

/** Why no episode counts: each kind of fault with the message of its first episode. */
function AllInvalid({ total, episodes }: { total: number; episodes: readonly FaultyEpisode[] }) {
  const t = useT();
  const say = useSentence();
  const kinds = new Map<string, { readonly first: FaultyEpisode; count: number }>();
  for (const episode of episodes) {
    const kind = kinds.get(episode.code);
    if (kind) kind.count += 1;
    else kinds.set(episode.code, { first: episode, count: 1 });
  }
  return (
    <div role="alert">
      <p>
        <strong>{t("run.all_invalid_title", { n: total })}</strong>
      </p>
      <ul>
        {[...kinds].map(([code, { first, count }]) => (
          <li key={code} className="preserve">
            {count} × <code>{code}</code>: {say(first.message)}
          </li>
        ))}
      </ul>
    </div>
  );
}

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
