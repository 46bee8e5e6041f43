import type { StressDocument } from "../../../../src/server/view/documents.js";
import { useT } from "../../i18n/index.js";
import { useSentence } from "../../i18n/sentences/index.js";
import { hrefOf } from "../../route.js";
import type { StressAxis } from "./axis-text.js";

type TellingEpisode = StressAxis["telling_episodes"][number];

interface TellingEpisodesProps {
  readonly axes: readonly StressAxis[];
  readonly ids: StressDocument["ids"];
}

/** Up to three episodes of each axis that change their outcome at the weakest perturbation. */
export function TellingEpisodes({ axes, ids }: TellingEpisodesProps) {
  const t = useT();
  const told = axes.filter(({ telling_episodes }) => telling_episodes.length > 0);
  return (
    <section className="card" aria-labelledby="telling-title">
      <h2 id="telling-title">{t("stress.telling")}</h2>
      {told.length === 0 && <p className="muted">{t("stress.telling_none")}</p>}
      {told.map(({ axis, telling_episodes }) => (
        <div key={axis} className="telling-axis">
          <h3>{axis}</h3>
          <ul className="plain-list">
            {telling_episodes.map((one) => (
              <Episode key={`${one.episode_key} ${one.perturbed.repeat}`} told={one} ids={ids} />
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

interface EpisodeProps {
  readonly told: TellingEpisode;
  readonly ids: StressDocument["ids"];
}

function Episode({ told, ids }: EpisodeProps) {
  const t = useT();
  const { episode_key, to, level, stays, baseline, perturbed } = told;
  const idOf = ({ repeat }: TellingEpisode["baseline"]) =>
    ids.find((one) => one.key === episode_key && one.repeat === repeat)?.id ?? "";
  return (
    <li>
      <p>
        <code>{episode_key}</code> {t(`${stays ? "stress.to" : "stress.to_at"}.${to}`, { level })}
        {" · "}
        <a
          href={hrefOf(
            { page: "compare", a: baseline.run, b: perturbed.run },
            { episode: idOf(baseline), tab: "ghosts" },
          )}
        >
          {t("stress.side_by_side")}
        </a>
      </p>
      <Side name={t("stress.unperturbed")} side={baseline} id={idOf(baseline)} />
      <Side name={t("stress.perturbed")} side={perturbed} id={idOf(perturbed)} />
    </li>
  );
}

function Side({
  name,
  side,
  id,
}: {
  readonly name: string;
  readonly side: TellingEpisode["baseline"];
  readonly id: string;
}) {
  const say = useSentence();
  return (
    <p className="small">
      <a href={hrefOf({ page: "episode", run: side.run, episode: id })}>{name}</a>:{" "}
      {say(side.explanation)}
    </p>
  );
}
