import type { EpisodeRow } from "../../../../src/server/view/documents.js";
import { episodeName } from "../../episode-name.js";
import { useT } from "../../i18n/index.js";
import { hrefOf } from "../../route.js";
import type { Neighbours } from "./use-neighbours.js";

interface Known {
  readonly key: string;
  readonly outcome: EpisodeRow["outcome"];
  readonly fault: string | null;
  readonly repeat: number;
}

interface EpisodeHeadProps {
  readonly run: string;
  readonly episode: string;
  readonly neighbours: Neighbours | null;
  /** The known fields: those of the episode's line, or fewer. */
  readonly known: Known | null;
}

/** The episode's name and outcome, and links to its neighbours. */
export function EpisodeHead({ run, episode, neighbours, known }: EpisodeHeadProps) {
  const t = useT();
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
        <h1>{known?.key ?? episodeName(episode).key}</h1>
        {known && <OutcomeBadge outcome={known.outcome} />}
        {known?.fault && (
          <span className="muted">{t("episode.fault", { fault: known.fault })}</span>
        )}
        {known && known.repeat > 0 && (
          <span className="muted">{t("run.repeat_n", { n: known.repeat })}</span>
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
