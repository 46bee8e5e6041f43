import { lazy, Suspense } from "react";
import type { RunComparison } from "../../../../src/runs/compare/documents.js";
import type { ComparedEpisode } from "../../../../src/server/view/documents.js";
import { ErrorBoundary } from "../../components/error-boundary.js";
import { Loading } from "../../components/loading.js";
import { useT } from "../../i18n/index.js";
import { hrefOf, type PageProps } from "../../route.js";
import { useScrollToTab } from "../../scroll-to-tab.js";
import type { Pair } from "./pair.js";

const GhostView = lazy(async () => ({
  default: (await import("../../viewer/ghost-view.js")).GhostView,
}));

/** More would make the list slow to open; other episodes can be selected in the plot and the list of flipped episodes. */
const MAX_OPTIONS = 500;

interface GhostsProps extends PageProps {
  readonly pair: Pair;
  readonly comparison: RunComparison;
  readonly episodes: readonly ComparedEpisode[];
}

/** Both runs' trajectories of one episode in the same scene. Nothing is loaded before an episode is selected. */
export function Ghosts({ pair, comparison, episodes, query, navigate }: GhostsProps) {
  const t = useT();
  const chosen = episodes.find(({ id }) => id === query.episode);
  useScrollToTab(query.tab);
  const flipped = new Set([...comparison.flipped.to_failure, ...comparison.flipped.to_success]);
  const options = [...episodes]
    .sort((p, q) => Number(flipped.has(q.key)) - Number(flipped.has(p.key)))
    .slice(0, MAX_OPTIONS);
  return (
    <section id="ghosts" className="card" aria-labelledby="ghosts-title">
      <div className="card-head">
        <h2 id="ghosts-title">{t("compare.ghosts")}</h2>
        <label className="field">
          <span>{t("run.episode")}</span>
          <select
            value={chosen?.id ?? ""}
            onChange={({ target }) => navigate({ episode: target.value })}
          >
            <option value="">{t("compare.choose_episode")}</option>
            {chosen && !options.includes(chosen) && <option value={chosen.id}>{chosen.key}</option>}
            {options.map(({ id, key, a, b }) => (
              <option key={id} value={id}>
                {key} ({t(`outcome.${a.outcome}`)} → {t(`outcome.${b.outcome}`)})
              </option>
            ))}
          </select>
        </label>
      </div>
      {chosen ? (
        <>
          <p className="small">
            <a href={hrefOf({ page: "episode", run: pair.a, episode: chosen.id })}>
              {t("compare.open_in", { run: "A" })}
            </a>{" "}
            ·{" "}
            <a href={hrefOf({ page: "episode", run: pair.b, episode: chosen.id })}>
              {t("compare.open_in", { run: "B" })}
            </a>
          </p>
          <ErrorBoundary key={chosen.id}>
            <Suspense fallback={<Loading />}>
              <GhostView runA={pair.a} runB={pair.b} episode={chosen.id} />
            </Suspense>
          </ErrorBoundary>
        </>
      ) : (
        <p className="muted">{t("compare.ghosts_note")}</p>
      )}
    </section>
  );
}
