import { useState } from "react";
import type {
  EpisodeSide,
  FlippedEpisode,
  RunComparison,
} from "../../../../src/runs/compare/documents.js";
import { useT } from "../../i18n/index.js";
import { useSentence } from "../../i18n/sentences/index.js";
import { hrefOf, type Query } from "../../route.js";
import type { Pair } from "./pair.js";

/** How many are shown initially in each direction. */
const FIRST = 10;

interface FlippedProps {
  readonly pair: Pair;
  readonly comparison: RunComparison;
  readonly idOf: ReadonlyMap<string, string>;
  readonly query: Query;
}

/** Episodes that succeeded in one run only, with both explanations. */
export function FlippedEpisodes(props: FlippedProps) {
  const t = useT();
  const { flipped } = props.comparison;
  return (
    <section className="card flips" aria-labelledby="flips-title">
      <h2 id="flips-title">{t("compare.flipped")}</h2>
      <FlipList {...props} to="failure" count={flipped.to_failure.length} />
      <FlipList {...props} to="success" count={flipped.to_success.length} />
    </section>
  );
}

function FlipList({
  pair,
  comparison,
  idOf,
  query,
  to,
  count,
}: FlippedProps & { readonly to: FlippedEpisode["to"]; readonly count: number }) {
  const t = useT();
  const [all, setAll] = useState(false);
  const task = query.task ?? "";
  const episodes = comparison.flipped_episodes.filter(
    (episode) => episode.to === to && (task === "" || episode.episode_key.startsWith(`${task}/`)),
  );
  const shown = all ? episodes : episodes.slice(0, FIRST);
  return (
    <div>
      <h3>
        {t(`compare.to_${to}`)} <span className={`badge ${to}`}>{count}</span>
      </h3>
      <ul className="plain-list">
        {shown.map(({ episode_key, a, b }) => {
          const episode = idOf.get(episode_key);
          return (
            <li key={episode_key}>
              <p>
                <strong>{episode_key}</strong>{" "}
                {episode && (
                  <a
                    className="small"
                    href={hrefOf(
                      { page: "compare", ...pair },
                      { ...query, episode, tab: "ghosts" },
                    )}
                  >
                    {t("compare.ghosts_link")}
                  </a>
                )}
              </p>
              <Side mark="A" run={pair.a} episode={episode} side={a} />
              <Side mark="B" run={pair.b} episode={episode} side={b} />
            </li>
          );
        })}
      </ul>
      {episodes.length > shown.length && (
        <button type="button" onClick={() => setAll(true)}>
          {t("compare.show_all", { n: episodes.length })}
        </button>
      )}
    </div>
  );
}

interface SideProps {
  readonly mark: string;
  readonly run: string;
  readonly episode: string | undefined;
  readonly side: EpisodeSide;
}

function Side({ mark, run, episode, side }: SideProps) {
  const t = useT();
  const say = useSentence();
  const { end_reason, explanation, succeeded, judged } = side;
  return (
    <p className="small flip-side">
      {episode ? <a href={hrefOf({ page: "episode", run, episode })}>{mark}</a> : mark}{" "}
      {judged !== undefined && t("compare.of", { succeeded: succeeded ?? 0, judged })} {end_reason}
      {explanation !== "" && <span className="muted">: {say(explanation)}</span>}
    </p>
  );
}
