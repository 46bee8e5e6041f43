import { memo } from "react";
import type { RunDocument } from "../../../../src/server/view/documents.js";
import { IntervalBar } from "../../components/interval-bar.js";
import { formatInterval, formatNumber } from "../../format.js";
import { useT } from "../../i18n/index.js";
import { hrefOf } from "../../route.js";

/** Success by scene, the worst first. */
export const SceneList = memo(function SceneList({
  run,
  document,
  tasks,
}: {
  readonly run: string;
  readonly document: RunDocument;
  readonly tasks: readonly string[];
}) {
  const t = useT();
  const shown = tasks.filter((task) => (document.scenes[task] ?? []).length > 0);
  return (
    <section className="card" aria-labelledby="scenes-title">
      <h2 id="scenes-title">{t("run.scenes")}</h2>
      {shown.length === 0 && <p className="muted">{t("run.scenes_none")}</p>}
      {shown.map((task, i) => (
        <details key={task} open={i === 0}>
          <summary>
            {task} <span className="muted">({document.scenes[task]?.length})</span>
          </summary>
          <ul className="scene-rates">
            {document.scenes[task]?.map(({ scene_id, mean, ci95, success, count, n_invalid }) => (
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
