import type { EpisodeDocument, EpisodeRow } from "../../../../src/server/view/documents.js";
import { useT } from "../../i18n/index.js";
import { hrefOf } from "../../route.js";
import { useNeighbours } from "./use-neighbours.js";

interface EpisodeHeadProps {
  readonly run: string;
  readonly episode: string;
  readonly document: EpisodeDocument | null;
}

/** Which episode this is, how it came out, and the way to the others. */
export function EpisodeHead({ run, episode, document }: EpisodeHeadProps) {
  const t = useT();
  const neighbours = useNeighbours(run, episode);
  const line = document?.line;
  const link = (row: EpisodeRow | null, text: string) =>
    row ? (
      <a className="button" href={hrefOf({ page: "episode", run, episode: row.id })}>
        {text}
      </a>
    ) : (
      <button type="button" disabled>
        {text}
      </button>
    );
  return (
    <header className="episode-head">
      <div className="episode-name">
        <h1>{line?.episode_key ?? t("episode.title", { id: episode })}</h1>
        {line && <OutcomeBadge outcome={line.outcome} />}
        {line?.fault && <span className="muted">{t("episode.fault", { fault: line.fault })}</span>}
        {line && line.repeat > 0 && (
          <span className="muted">{t("episode.repeat", { n: line.repeat })}</span>
        )}
      </div>
      <nav aria-label={t("episode.neighbours")} className="episode-nav">
        <a className="button" href={hrefOf({ page: "run", run })}>
          {t("episode.back")}
        </a>
        {link(neighbours?.previous ?? null, t("episode.previous"))}
        {link(neighbours?.next ?? null, t("episode.next"))}
        {link(neighbours?.nextFailure ?? null, t("episode.nextFailure"))}
      </nav>
    </header>
  );
}

function OutcomeBadge({ outcome }: { readonly outcome: "success" | "failure" | "invalid" }) {
  const t = useT();
  return (
    <span className="episode-outcome" data-outcome={outcome}>
      {t(`episode.outcome.${outcome}`)}
    </span>
  );
}
