import { useCallback, useMemo, useState } from "react";
import type { EpisodeDocument } from "../../../../src/server/view/documents.js";
import { addresses } from "../../addresses.js";
import { useT } from "../../i18n/index.js";
import { contentOf } from "../../viewer/content.js";
import type { Playback } from "../../viewer/playback.js";
import { SceneView } from "../../viewer/scene-view.js";
import { TimeControls } from "../../viewer/time-controls.js";
import { ViewControls } from "../../viewer/view-controls.js";
import { KeyHelp } from "./key-help.js";
import { OpenedAt } from "./opened-at.js";
import { SceneLegend } from "./scene-legend.js";
import { Scrubber } from "./scrubber.js";
import type { TellingStep } from "./telling-step.js";
import { useKeys } from "./use-keys.js";
import type { ViewState } from "./view-state.js";

interface StagePanelProps {
  readonly run: string;
  readonly document: EpisodeDocument;
  readonly playback: Playback;
  readonly view: ViewState;
  readonly telling: TellingStep;
}

/** The 3D scene and the time controls. */
export function StagePanel({ run, document, playback, view, telling }: StagePanelProps) {
  const t = useT();
  const [helping, setHelping] = useState(false);
  const { content, steps, times, stops } = useMemo(
    () => ({
      stops: document.events
        .map(({ step }) => document.records.findIndex((record) => record.step === step))
        .sort((a, b) => a - b),
      content: contentOf(document),
      steps: document.records.map(({ step }) => step),
      times: document.records.map(({ time_s }) => time_s),
    }),
    [document],
  );
  const help = useCallback(() => setHelping((open) => !open), []);
  const close = useCallback(() => setHelping(false), []);
  useKeys({ playback, stops, setCamera: view.setCamera, help });
  const cuttable = document.scene !== null && content.traces.some(({ kind }) => kind === "body");
  return (
    <section className="card stage-panel" aria-label={t("episode.view.label")}>
      <div className="stage-scene">
        <SceneView
          content={content}
          glb={document.scene === null ? null : addresses.scene(document.scene)}
          note={document.scene_note}
          tracks={document.has_track ? [addresses.track(run, document.id)] : []}
          playback={playback}
          camera={view.camera}
          cut={view.cut}
          label={t("episode.view.label")}
        />
        <ViewControls {...view} cuttable={cuttable} />
        <SceneLegend content={content} />
      </div>
      <Scrubber playback={playback} events={document.events} steps={steps} />
      <OpenedAt telling={telling} step={steps[telling.index] ?? 0} playback={playback} />
      <div className="transport">
        <TimeControls playback={playback} steps={steps} times={times} />
        <button type="button" className="quiet help" onClick={help}>
          <kbd>?</kbd> {t("episode.keys")}
        </button>
      </div>
      <KeyHelp open={helping} close={close} />
    </section>
  );
}
