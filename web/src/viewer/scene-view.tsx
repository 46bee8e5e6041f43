import { useEffect, useRef, useState } from "react";
import type { PoseTrack } from "../../../src/server/view/documents.js";
import type { Address } from "../addresses.js";
import { load, problemOf } from "../api.js";
import { useT } from "../i18n/index.js";
import { useSentence } from "../i18n/sentences/index.js";
import { useTheme } from "../theme.js";
import type { CameraMode, ViewerContent } from "./content.js";
import type { Playback } from "./playback.js";
import "./scene-view.css";
import type { Viewer } from "./viewer.js";

export interface SceneViewProps {
  readonly content: ViewerContent;
  /** The glb's URL; null if there is none, and `note` says why. */
  readonly glb: string | null;
  readonly note: string | null;
  /** One per trace, or empty. */
  readonly tracks: readonly Address<PoseTrack>[];
  readonly playback: Playback;
  readonly camera: CameraMode;
  readonly cut: number | null;
  readonly label: string;
}

type Status =
  | { readonly kind: "loading" }
  | { readonly kind: "ready" }
  | { readonly kind: "no-webgl" }
  | { readonly kind: "problem"; readonly message: string };

/** The canvas, with a message if something is missing. three.js is loaded on demand. */
export function SceneView(props: SceneViewProps) {
  const t = useT();
  const say = useSentence();
  const { host, status } = useViewer(props);
  const missing = props.glb === null && status.kind === "ready" ? props.note : null;
  return (
    <div className="scene-view" data-status={status.kind}>
      <div ref={host} className="scene-canvas" role="img" aria-label={props.label} />
      {status.kind === "loading" && (
        <p className="scene-note" role="status">
          {t("episode.view.loading")}
        </p>
      )}
      {status.kind === "no-webgl" && (
        <p className="scene-note large" role="alert">
          {t("episode.view.noWebgl")}
        </p>
      )}
      {status.kind === "problem" && (
        <p className="scene-note" role="alert">
          {t("episode.view.noScene", { why: say(status.message) })}
        </p>
      )}
      {missing !== null && <p className="scene-note">{say(missing)}</p>}
    </div>
  );
}

function useViewer({ content, glb, tracks, playback, camera, cut }: SceneViewProps) {
  const host = useRef<HTMLDivElement>(null);
  const [viewer, setViewer] = useState<Viewer | null>(null);
  const [status, setStatus] = useState<Status>({ kind: "loading" });
  const [theme] = useTheme();
  const opening = useRef({ theme, camera });
  opening.current = { theme, camera };
  const trackList = tracks.join("\n");

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    const canvas = document.createElement("canvas");
    element.append(canvas);
    let made: Viewer | null = null;
    let gone = false;
    const open = async () => {
      const { createViewer } = await import("./viewer.js");
      if (gone) return;
      const viewer = createViewer(canvas, { content, ...opening.current });
      made = viewer;
      viewer.setCursor(playback.state.at, true);
      setViewer(viewer);
      const addresses: readonly Address<PoseTrack>[] = trackList ? trackList.split("\n") : [];
      if (glb !== null) await viewer.loadModel(glb);
      if (glb !== null && addresses.length > 0) {
        const documents = await Promise.all(addresses.map((address) => load(address)));
        if (!gone) viewer.setTracks(documents);
      }
      if (!gone) setStatus({ kind: "ready" });
    };
    open().catch((error: unknown) => {
      if (gone) return;
      const noWebgl = error instanceof Error && error.name === "NoWebglError";
      setStatus(
        noWebgl
          ? { kind: "no-webgl" }
          : { kind: "problem", message: problemOf(error).problem.message },
      );
    });
    const sized = new ResizeObserver(() =>
      made?.setSize(element.clientWidth, element.clientHeight),
    );
    sized.observe(element);
    return () => {
      gone = true;
      sized.disconnect();
      made?.dispose();
      canvas.remove();
      setViewer(null);
      setStatus({ kind: "loading" });
    };
  }, [content, glb, trackList, playback]);

  useEffect(() => {
    const element = host.current;
    if (!viewer || !element) return;
    viewer.setSize(element.clientWidth, element.clientHeight);
    return playback.subscribe((jump) => viewer.setCursor(playback.state.at, jump));
  }, [viewer, playback]);
  useEffect(() => viewer?.setCamera(camera), [viewer, camera]);
  useEffect(() => viewer?.setCut(cut), [viewer, cut]);
  useEffect(() => viewer?.setTheme(theme), [viewer, theme]);
  return { host, status };
}
