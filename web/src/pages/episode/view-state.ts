import { useEffect, useMemo, useRef } from "react";
import type { Navigate, Query } from "../../route.js";
import type { CameraMode } from "../../viewer/content.js";
import type { Playback } from "../../viewer/playback.js";
import { MAX_CUT, MIN_CUT, USUAL_CUT } from "../../viewer/view-controls.js";

/** Minimum interval between URL updates during playback; browsers limit them to about 100 in 30 s. */
const WRITE_MS = 500;

export interface ViewState {
  readonly camera: CameraMode;
  /** Height of the cut in metres above the robot's base; null: no cut. */
  readonly cut: number | null;
  readonly map: boolean;
  readonly setCamera: (camera: CameraMode) => void;
  readonly setCut: (cut: number) => void;
  readonly setMap: (open: boolean) => void;
}

function cameraOf(query: Query): CameraMode {
  return query.cam === "free" || query.cam === "top" ? query.cam : "follow";
}

export function useViewState(query: Query, navigate: Navigate): ViewState {
  const camera = cameraOf(query);
  const asked = query.cut === undefined ? USUAL_CUT : Number(query.cut);
  const cut = asked >= MAX_CUT || !(asked >= MIN_CUT) ? null : asked;
  const map = query.map === "1";
  return useMemo(
    () => ({
      camera,
      cut,
      map,
      setCamera: (mode) => navigate({ cam: mode === "follow" ? null : mode }, "replace"),
      setCut: (height) => navigate({ cut: height.toFixed(1) }, "replace"),
      setMap: (open) => navigate({ map: open ? "1" : null }, "replace"),
    }),
    [camera, cut, map, navigate],
  );
}

/**
 * Keeps the cursor and the speed in the URL, and restores them when the URL changes.
 * @param initial the record of a URL without a step
 */
export function usePlaybackInAddress(
  playback: Playback,
  query: Query,
  navigate: Navigate,
  initial: number,
): void {
  const asked = query.t ?? String(initial);
  const written = useRef(asked);
  useEffect(() => {
    if (asked === written.current) return;
    written.current = asked;
    playback.seek(Number(asked));
  }, [asked, playback]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const write = () => {
      timer = undefined;
      const { speed } = playback.state;
      written.current = String(playback.index);
      navigate(
        {
          t: playback.index === initial ? null : String(playback.index),
          speed: speed === 1 ? null : String(speed),
        },
        "replace",
      );
    };
    const stop = playback.subscribe(() => {
      timer ??= setTimeout(write, WRITE_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [playback, navigate, initial]);
}
