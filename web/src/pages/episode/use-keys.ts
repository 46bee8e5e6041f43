import { useEffect } from "react";
import type { CameraMode } from "../../viewer/content.js";
import type { Playback } from "../../viewer/playback.js";

interface Keys {
  readonly playback: Playback;
  /** Records with events. */
  readonly stops: readonly number[];
  readonly setCamera: (camera: CameraMode) => void;
  readonly help: () => void;
}

const CAMERAS: Readonly<Record<string, CameraMode>> = { f: "follow", t: "top", o: "free" };

/** Keyboard shortcuts of the page, except in inputs and for the browser's own shortcuts. */
export function useKeys({ playback, stops, setCamera, help }: Keys): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return;
      const camera = CAMERAS[event.key.toLowerCase()];
      if (camera) setCamera(camera);
      else if (event.key === "?") help();
      else if (!move(playback, event) && !jumpToEvent(playback, stops, event.key)) return;
      event.preventDefault();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [playback, stops, setCamera, help]);
}

function move(playback: Playback, { key, shiftKey }: KeyboardEvent): boolean {
  const by = shiftKey ? 10 : 1;
  switch (key) {
    case " ":
      playback.toggle();
      return true;
    case "ArrowLeft":
      playback.step(-by);
      return true;
    case "ArrowRight":
      playback.step(by);
      return true;
    case "Home":
      playback.seek(0);
      return true;
    case "End":
      playback.pause();
      playback.seek(playback.end);
      return true;
    case "[":
      playback.shiftSpeed(-1);
      return true;
    case "]":
      playback.shiftSpeed(1);
      return true;
    default:
      return false;
  }
}

/** Moves to the next or previous event. */
function jumpToEvent(playback: Playback, stops: readonly number[], key: string): boolean {
  if (key !== "n" && key !== "p") return false;
  const { index } = playback;
  const to =
    key === "n" ? stops.find((stop) => stop > index) : stops.findLast((stop) => stop < index);
  playback.pause();
  if (to !== undefined) playback.seek(to);
  return true;
}

function isTaken({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("dialog, video, textarea, select, input:not([type=range])")) return true;
  // Other sliders keep their arrow keys; buttons and links keep the space bar.
  if (target.closest(".view-cut")) return true;
  return key === " " && target.closest("button, a, summary") !== null;
}
