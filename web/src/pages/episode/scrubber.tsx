import { useEffect, useMemo, useRef, useState } from "react";
import type { EpisodeEvent } from "../../../../src/server/view/documents.js";
import { useT } from "../../i18n/index.js";
import type { Playback } from "../../viewer/playback.js";
import { TimeSlider } from "../../viewer/time-controls.js";
import { useIndex } from "../../viewer/use-playback.js";
import { marksOf } from "./event-marks.js";

interface ScrubberProps {
  readonly playback: Playback;
  readonly events: readonly EpisodeEvent[];
  /** The step of each record. */
  readonly steps: readonly number[];
}

/** The time slider with event marks; a click on a mark moves the cursor to it. */
export function Scrubber({ playback, events, steps }: ScrubberProps) {
  const t = useT();
  const index = useIndex(playback);
  const rail = useRef<HTMLDivElement>(null);
  const width = useWidth(rail);
  const [step, last] = [steps[index] ?? index, steps[playback.end] ?? playback.end];
  const marks = useMemo(() => {
    const byStep = new Map(steps.map((value, at) => [value, at]));
    return marksOf({
      events,
      indexOf: (value) => byStep.get(value) ?? Math.min(value, playback.end),
      end: playback.end,
      width,
      nameOf: ({ kind, detail }) =>
        (kind === "stage" && detail.replaceAll("_", " ")) || t(`episode.event.${kind}`),
    });
  }, [events, steps, playback, width, t]);
  return (
    <div className="scrubber">
      <div ref={rail} className="scrubber-marks">
        {marks.map(({ kind, index: at, text, left, row }) => (
          <button
            key={`${kind}-${at}-${text}`}
            type="button"
            className="scrubber-mark"
            // Too close to other marks for touch; the keys N and P reach it.
            tabIndex={row === null ? -1 : 0}
            data-kind={kind}
            data-row={row ?? "none"}
            style={{ left: `${left}%` }}
            title={t("episode.event.at", { name: text, step: steps[at] ?? at })}
            aria-label={t("episode.event.at", { name: text, step: steps[at] ?? at })}
            onClick={() => playback.seek(at)}
          >
            {row !== null && (
              <span style={{ translate: `${-lean(left, text, width)}% 0` }}>{text}</span>
            )}
          </button>
        ))}
      </div>
      <TimeSlider playback={playback} text={t("episode.timeOf", { step, last })} />
    </div>
  );
}

/** The share of its width by which a label is shifted to the left: one half, or less at the edges. */
function lean(left: number, text: string, width: number): number {
  const half = text.length * 3.5 + 6;
  const x = (left / 100) * width;
  if (x < half) return (x / (2 * half)) * 100;
  if (width - x < half) return 100 - ((width - x) / (2 * half)) * 100;
  return 50;
}

function useWidth(element: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(600);
  useEffect(() => {
    if (!element.current) return;
    const watcher = new ResizeObserver(([entry]) => {
      if (entry) setWidth(entry.contentRect.width);
    });
    watcher.observe(element.current);
    return () => watcher.disconnect();
  }, [element]);
  return width;
}
