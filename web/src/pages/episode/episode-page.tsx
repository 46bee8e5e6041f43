import { useEffect, useMemo } from "react";
import type { EpisodeDocument } from "../../../../src/server/view/documents.js";
import { addresses } from "../../addresses.js";
import { useDocument } from "../../api.js";
import { Loading } from "../../components/loading.js";
import { ProblemBox } from "../../components/problem-box.js";
import { useT } from "../../i18n/index.js";
import type { EpisodePageProps } from "../../route.js";
import { Playback, paceOf } from "../../viewer/playback.js";
import { CameraImages } from "./camera-images.js";
import { Commands } from "./commands.js";
import { ConditionsNow } from "./conditions-now.js";
import { EpisodeHead } from "./episode-head.js";
import "./episode.css";
import { Happened } from "./happened.js";
import { RawState } from "./raw-state.js";
import { RowOnly } from "./row-only.js";
import { StagePanel } from "./stage-panel.js";
import { tellingStep } from "./telling-step.js";
import { TimePlots } from "./time-plots.js";
import { useNeighbours } from "./use-neighbours.js";
import { usePlaybackInAddress, useViewState } from "./view-state.js";
import { WhyScore } from "./why-score.js";

/** One episode, step by step, with an explanation of its scores. */
export function EpisodePage(props: EpisodePageProps) {
  const { run, episode } = props;
  const loaded = useDocument(addresses.episode(run, episode));
  const neighbours = useNeighbours(run, episode);
  const document = loaded.state === "ready" ? loaded.data : null;
  const row = neighbours?.self ?? null;
  return (
    <div className="episode-page">
      <EpisodeHead
        run={run}
        episode={episode}
        neighbours={neighbours}
        known={document ? knownOf(document) : row}
      />
      {loaded.state === "loading" && <Loading />}
      {loaded.state === "failed" &&
        (row ? (
          <RowOnly row={row} problem={loaded.problem} />
        ) : (
          <ProblemBox problem={loaded.problem} status={loaded.status} />
        ))}
      {document && <Episode key={`${run}/${document.id}`} document={document} {...props} />}
    </div>
  );
}

function knownOf({ line }: EpisodeDocument) {
  return {
    key: line.episode_key,
    outcome: line.outcome,
    fault: line.fault ?? null,
    repeat: line.repeat,
  };
}

function Episode({
  run,
  document,
  query,
  navigate,
}: EpisodePageProps & { readonly document: EpisodeDocument }) {
  const t = useT();
  const view = useViewState(query, navigate);
  const telling = useMemo(() => tellingStep(document), [document]);
  const playback = usePlayback(document, query.t ?? String(telling.index), query.speed);
  usePlaybackInAddress(playback, query, navigate, telling.index);
  const recorded = document.records.length > 0;
  const { video } = document.line;
  return (
    <div className="episode-layout">
      <div className="episode-stage">
        {recorded ? (
          <StagePanel {...{ run, document, playback, view, telling }} />
        ) : (
          <p className="card episode-empty">{t("episode.noRecords")}</p>
        )}
      </div>
      <div className="episode-side">
        <Happened instruction={document.instruction} line={document.line} />
        {recorded && <ConditionsNow records={document.records} playback={playback} />}
        <WhyScore why={document.why} />
        {recorded && document.has_frames && (
          <CameraImages run={run} episode={document.id} playback={playback} />
        )}
        {video !== undefined && (
          <section className="card episode-video">
            <h2>{t("episode.video")}</h2>
            {/* biome-ignore lint/a11y/useMediaCaption: a rollout has no sound */}
            <video controls preload="metadata" src={addresses.file(run, video)} />
          </section>
        )}
      </div>
      <div className="episode-rest">
        {recorded && <TimePlots document={document} playback={playback} />}
        {document.has_map && (
          <MapView run={run} episode={document.id} open={view.map} setOpen={view.setMap} />
        )}
        <Commands document={document} />
        {recorded && <RawState records={document.records} playback={playback} />}
      </div>
    </div>
  );
}

function usePlayback(document: EpisodeDocument, at: string, speed: string | undefined): Playback {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the URL only gives the initial step
  const playback = useMemo(() => {
    const { records } = document;
    const factor = Number(speed);
    return new Playback(records.length, paceOf(records), Number(at), factor > 0 ? factor : 1);
  }, [document]);
  useEffect(() => () => playback.pause(), [playback]);
  return playback;
}

interface MapViewProps {
  readonly run: string;
  readonly episode: string;
  readonly open: boolean;
  readonly setOpen: (open: boolean) => void;
}

/** The map is loaded when it is opened. */
function MapView({ run, episode, open, setOpen }: MapViewProps) {
  const t = useT();
  return (
    <details
      className="card episode-map"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{t("episode.map")}</summary>
      {open && <img src={addresses.map(run, episode)} alt={t("episode.map.alt")} />}
    </details>
  );
}
