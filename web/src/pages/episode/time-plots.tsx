import { useMemo } from "react";
import type { EpisodeDocument } from "../../../../src/server/view/documents.js";
import { useT } from "../../i18n/index.js";
import { BandRows } from "../../plots/band-rows.js";
import { bandsOf, conditionPlots, type PlotSpec, plotsOf } from "../../plots/series.js";
import { StepPlot } from "../../plots/step-plot.js";
import type { Playback } from "../../viewer/playback.js";

interface TimePlotsProps {
  readonly document: EpisodeDocument;
  readonly playback: Playback;
}

/** Plots of actions, state and conditions, synchronised with the 3D view. */
export function TimePlots({ document, playback }: TimePlotsProps) {
  const t = useT();
  const { plots, conditions, bands } = useMemo(
    () => ({
      plots: plotsOf(document),
      conditions: conditionPlots(document.records),
      bands: bandsOf(document.records),
    }),
    [document],
  );
  if (plots.length + conditions.length === 0) return null;
  return (
    <>
      <section className="card">
        <h2>{t("episode.plots")}</h2>
        <p className="muted plot-hint">{t("episode.plots.hint")}</p>
        <div className="plot-grid">
          {plots.map((spec) => (
            <StepPlot
              key={spec.id}
              spec={spec}
              title={titleOf(spec, document, t)}
              playback={playback}
              height={spec.series.length > 1 || spec.categories ? 150 : 118}
            />
          ))}
          {bands.length > 0 && (
            <BandRows bands={bands} playback={playback} label={t("episode.stages")} />
          )}
        </div>
      </section>
      {conditions.length > 0 && (
        <section className="card">
          <h2>{t("episode.conditions")}</h2>
          <p className="muted plot-hint">{t("episode.conditions.hint")}</p>
          <div className="plot-grid">
            {conditions.map((spec) => (
              <StepPlot
                key={spec.id}
                spec={spec}
                title={titleOf(spec, document, t)}
                playback={playback}
                height={96}
              />
            ))}
          </div>
        </section>
      )}
    </>
  );
}

function titleOf(
  { id, name, categories }: PlotSpec,
  { control_mode: mode }: EpisodeDocument,
  t: ReturnType<typeof useT>,
): string {
  switch (id) {
    case "action":
      // The unit of an action depends on the control mode.
      return mode === null || categories
        ? t("episode.plot.action")
        : `${t("episode.plot.action")} (${mode.replaceAll("_", " ")})`;
    case "distance_to_goal":
    case "qpos":
    case "gripper_state":
      return t(`episode.plot.${id}`);
    default:
      return name.replace(/_m$/, "").replaceAll("_", " ");
  }
}
