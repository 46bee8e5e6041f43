import { useEffect, useRef } from "react";
import type { Playback } from "../viewer/playback.js";
import { runs } from "./draw.js";
import "./plots.css";

interface BandRowsProps {
  readonly bands: readonly { readonly name: string; readonly holds: readonly boolean[] }[];
  readonly playback: Playback;
  readonly label: string;
}

/** One row per stage or condition, with bars where it holds. */
export function BandRows({ bands, playback, label }: BandRowsProps) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const place = () => {
      const share = playback.end > 0 ? playback.state.at / playback.end : 0;
      if (line.current) line.current.style.left = `${share * 100}%`;
    };
    place();
    return playback.subscribe(place);
  }, [playback]);
  const seek = (event: React.PointerEvent<HTMLDivElement>) => {
    if ((event.buttons & 1) === 0) return;
    const box = event.currentTarget.getBoundingClientRect();
    playback.seek(Math.round(((event.clientX - box.left) / box.width) * playback.end));
  };
  return (
    <figure className="plot bands">
      <figcaption>
        <span className="plot-title">{label}</span>
      </figcaption>
      <div className="band-grid">
        <div className="band-names">
          {bands.map(({ name }) => (
            <span key={name}>{name.replaceAll("_", " ")}</span>
          ))}
        </div>
        <div className="band-bars" onPointerDown={seek} onPointerMove={seek}>
          {bands.map(({ name, holds }) => (
            <div key={name} className="band-row" data-success={name === "success"}>
              {spans(holds, playback.end).map(({ left, width }) => (
                <i key={left} style={{ left: `${left}%`, width: `${width}%` }} />
              ))}
            </div>
          ))}
          <div ref={line} className="plot-time" />
        </div>
      </div>
    </figure>
  );
}

function spans(holds: readonly boolean[], end: number): { left: number; width: number }[] {
  const out: { left: number; width: number }[] = [];
  runs(holds, (from, to) => {
    const left = end > 0 ? (from / end) * 100 : 0;
    out.push({
      left,
      width: Math.max(0.6, end > 0 ? (Math.min(to + 1, end) / end) * 100 - left : 100),
    });
  });
  return out;
}
