import { memo } from "react";
import { addresses } from "../../addresses.js";
import { useDocument } from "../../api.js";
import { IntervalBar } from "../../components/interval-bar.js";
import { Loading } from "../../components/loading.js";
import { formatInterval, formatNumber } from "../../format.js";
import { useT } from "../../i18n/index.js";
import { useSentence } from "../../i18n/sentences/index.js";
import { hrefOf } from "../../route.js";

/** Success by scene, worst first. */
export const SceneList = memo(function SceneList({
  run,
  version,
  tasks,
}: {
  readonly run: string;
  /** The run's version; a change reloads the scenes. */
  readonly version: number;
  readonly tasks: readonly string[];
}) {
  const t = useT();
  const say = useSentence();
  const loaded = useDocument(addresses.scenes(run), version);
  const scenes = loaded.state === "ready" ? loaded.data : {};
  const shown = tasks.filter((task) => (scenes[task] ?? []).length > 0);
  return (
    <section className="card" aria-labelledby="scenes-title">
      <h2 id="scenes-title">{t("run.scenes")}</h2>
      {loaded.state === "loading" && <Loading />}
      {loaded.state === "ready" && shown.length === 0 && (
        <p className="muted">{t("run.scenes_none")}</p>
      )}
      {loaded.state === "failed" && <p className="filter-error">{say(loaded.problem.message)}</p>}
      {shown.map((task, i) => (
        <details key={task} open={i === 0}>
          <summary>
            {task} <span className="muted">({scenes[task]?.length})</span>
          </summary>
          <ul className="scene-rates">
            {scenes[task]?.map(({ scene_id, mean, ci95, success, count, n_invalid }) => (
              <li key={scene_id}>
                <a
                  href={hrefOf(
                    { page: "run", run },
                    { task, filter: `scene:${scene_id}`, tab: "episodes" },
                  )}
                >
                  {scene_id}
                </a>
                <IntervalBar mean={mean} ci95={ci95} scale={[0, 1]} />
                <span className="number" title={formatInterval(ci95)}>
                  {formatNumber(mean)}{" "}
                  <span className="muted">
                    ({success}/{count}
                    {n_invalid > 0 && ` +${n_invalid}`})
                  </span>
                </span>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </section>
  );
});
