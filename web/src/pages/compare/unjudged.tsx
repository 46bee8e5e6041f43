import type { RunComparison } from "../../../../src/runs/compare/documents.js";
import { useT } from "../../i18n/index.js";
import { useSentence } from "../../i18n/sentences/index.js";

/** Episodes that are invalid in one of the runs, and therefore not compared. */
export function Unjudged({ comparison }: { readonly comparison: RunComparison }) {
  const t = useT();
  const say = useSentence();
  const { invalid_episodes: episodes } = comparison;
  if (episodes.length === 0) return null;
  return (
    <section className="card notice" aria-labelledby="unjudged-title">
      <h2 id="unjudged-title">{t("compare.unjudged", { n: comparison.episodes.invalid })}</h2>
      <ul className="plain-list">
        {episodes.map(({ episode_key, a, b }) => (
          <li key={episode_key}>
            <strong>{episode_key}</strong>
            {a && <p className="small preserve">A {say(a.explanation)}</p>}
            {b && <p className="small preserve">B {say(b.explanation)}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}
