import { useEffect, useMemo, useState } from "react";
import type { EpisodeDocument } from "../../../src/server/view/documents.js";
import { addresses } from "../addresses.js";
import { type Loaded, useDocument } from "../api.js";
import { Loading } from "../components/loading.js";
import { useT } from "../i18n/index.js";
import { useSentence } from "../i18n/sentences/index.js";
import { hrefOf } from "../route.js";
import { type CameraMode, contentOf, traceOf, type ViewerContent } from "./content.js";
import "./ghost-view.css";
import { GHOSTS } from "./palette.js";
import { Playback, paceOf } from "./playback.js";
import { SceneView } from "./scene-view.js";
import { TimeControls, TimeSlider } from "./time-controls.js";
import { MAX_CUT, USUAL_CUT, ViewControls } from "./view-controls.js";

interface GhostViewProps {
  readonly runA: string;
  readonly runB: string;
  /** The episode id in both runs. */
  readonly episode: string;
}

/** One episode of two runs in the same scene, with a shared time cursor. */
export function GhostView({ runA, runB, episode }: GhostViewProps) {
  const t = useT();
  const say = useSentence();
  const a = useDocument(addresses.episode(runA, episode));
  const b = useDocument(addresses.episode(runB, episode));
  const missing = (run: string, loaded: Loaded<EpisodeDocument>) => {
    const why = whyMissing(loaded, t("ghost.noRecords"));
    return why === null ? null : <p role="alert">{t("ghost.missing", { run, why: say(why) })}</p>;
  };
  if (a.state === "loading" || b.state === "loading") return <Loading />;
  if (a.state === "ready" && b.state === "ready") {
    if (a.data.records.length > 0 && b.data.records.length > 0)
      return <Ghosts key={episode} runs={[runA, runB]} documents={[a.data, b.data]} />;
  }
  return (
    <>
      {missing(runA, a)}
      {missing(runB, b)}
    </>
  );
}

function whyMissing(loaded: Loaded<EpisodeDocument>, empty: string): string | null {
  if (loaded.state === "failed") return loaded.problem.message;
  return loaded.state === "ready" && loaded.data.records.length === 0 ? empty : null;
}

interface GhostsProps {
  readonly runs: readonly [string, string];
  readonly documents: readonly [EpisodeDocument, EpisodeDocument];
}

function Ghosts({ runs, documents: [a, b] }: GhostsProps) {
  const t = useT();
  const say = useSentence();
  const { content, playback, longer } = useMemo(() => staged(a, b), [a, b]);
  // Navigation paths diverge, so they are shown from a distance; manipulation stays at one table.
  const [camera, setCamera] = useState<CameraMode>(
    content.traces.every(({ kind }) => kind === "hand") ? "follow" : "free",
  );
  const [cut, setCut] = useState<number>(USUAL_CUT);
  useEffect(() => () => playback.pause(), [playback]);
  const tracked = a.has_track && b.has_track;
  const height = cut >= MAX_CUT ? null : cut;
  return (
    <div className="ghost-view">
      <div className="ghost-scene">
        <SceneView
          content={content}
          glb={a.scene === null ? null : addresses.scene(a.scene)}
          note={a.scene_note}
          tracks={tracked ? [addresses.track(runs[0], a.id), addresses.track(runs[1], b.id)] : []}
          playback={playback}
          camera={camera}
          cut={height}
          label={t("ghost.label", { id: a.line.episode_key })}
        />
        <ViewControls
          camera={camera}
          setCamera={setCamera}
          cut={height}
          setCut={setCut}
          cuttable={a.scene !== null && content.traces.some(({ kind }) => kind === "body")}
        />
      </div>
      <TimeSlider playback={playback} />
      <div className="ghost-controls">
        <TimeControls
          playback={playback}
          steps={longer.map(({ step }) => step)}
          times={longer.map(({ time_s }) => time_s)}
        />
      </div>
      <ul className="ghost-legend">
        {[a, b].map((document, side) => (
          <li key={runs[side]}>
            <i style={{ background: GHOSTS[side] }} aria-hidden="true" />
            <span>
              <a href={hrefOf({ page: "episode", run: runs[side] ?? "", episode: document.id })}>
                {side === 0 ? "A" : "B"} {runs[side]}
              </a>{" "}
              {t(`episode.outcome.${document.line.outcome}`)}: {say(document.line.explanation)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The longer episode determines the time; the other stays at its last record. */
function staged(a: EpisodeDocument, b: EpisodeDocument) {
  const content: ViewerContent = {
    ...contentOf(a),
    traces: [traceOf(a, GHOSTS[0]), traceOf(b, GHOSTS[1])],
  };
  const longer = a.records.length >= b.records.length ? a.records : b.records;
  const playback = new Playback(longer.length, paceOf(longer));
  return { content, playback, longer };
}
