import { useEffect, useRef, useState } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { formatNumber } from "../format.js";
import { useTheme } from "../theme.js";
import type { Playback } from "../viewer/playback.js";
import { useIndex } from "../viewer/use-playback.js";
import { lineColor, optionsOf, plotColorsOf } from "./draw.js";
import "./plots.css";
import type { PlotSpec } from "./series.js";

interface StepPlotProps {
  readonly spec: PlotSpec;
  readonly title: string;
  readonly playback: Playback;
  readonly height?: number;
}

/** A plot over records. A click or drag sets the time cursor; hovering shows the values in all plots. */
export function StepPlot({ spec, title, playback, height = 118 }: StepPlotProps) {
  const host = useRef<HTMLDivElement>(null);
  const [hovered, setHovered] = useState<number | null>(null);
  const [theme] = useTheme();

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    // The document's theme attribute is updated after this effect, so set it now to read the right colours.
    document.documentElement.dataset.theme = theme;
    const columns: uPlot.AlignedData = [
      Array.from({ length: playback.count }, (_, index) => index),
      ...spec.series.map(({ values }) => [...values]),
    ];
    const line = document.createElement("div");
    line.className = "plot-time";
    const place = (plot: uPlot) => {
      line.style.transform = `translateX(${plot.valToPos(playback.state.at, "x")}px)`;
    };
    const options = optionsOf({
      spec,
      width: Math.max(element.clientWidth, 120),
      height,
      colors: plotColorsOf(element),
      hovered: setHovered,
      drawn: place,
    });
    const plot = new uPlot(options, columns, element);
    plot.over.append(line);
    const stopFollowing = playback.subscribe(() => place(plot));
    const stopSeeking = seekOn(plot, playback);
    const sized = new ResizeObserver(() => {
      if (element.clientWidth === plot.width || element.clientWidth < 120) return;
      plot.setSize({ width: element.clientWidth, height });
    });
    sized.observe(element);
    return () => {
      sized.disconnect();
      stopSeeking();
      stopFollowing();
      plot.destroy();
    };
  }, [spec, playback, height, theme]);

  return (
    <figure className="plot">
      <figcaption>
        <span className="plot-title">{title}</span>
        <Values spec={spec} playback={playback} hovered={hovered} />
      </figcaption>
      <div ref={host} className="plot-canvas" role="img" aria-label={title} />
    </figure>
  );
}

function seekOn(plot: uPlot, playback: Playback): () => void {
  const seek = (event: PointerEvent) => {
    if ((event.buttons & 1) === 0) return;
    const { left } = plot.over.getBoundingClientRect();
    playback.seek(Math.round(plot.posToVal(event.clientX - left, "x")));
  };
  plot.over.addEventListener("pointerdown", seek);
  plot.over.addEventListener("pointermove", seek);
  return () => {
    plot.over.removeEventListener("pointerdown", seek);
    plot.over.removeEventListener("pointermove", seek);
  };
}

/** The values at the pointer, or else at the time cursor. */
function Values({
  spec,
  playback,
  hovered,
}: Pick<StepPlotProps, "spec" | "playback"> & { readonly hovered: number | null }) {
  const index = useIndex(playback);
  const at = hovered ?? index;
  return (
    <span className="plot-values">
      {spec.series.map(({ name, values }, k) => {
        const value = values[at] ?? null;
        const text =
          value !== null && spec.categories
            ? spec.categories[value]?.replaceAll("_", " ")
            : formatNumber(value);
        return (
          <span key={name}>
            {spec.series.length > 1 && (
              <>
                <i style={{ background: lineColor(k) }} />
                {name}{" "}
              </>
            )}
            <b>{text}</b>
            {spec.unit && value !== null ? ` ${spec.unit}` : ""}
          </span>
        );
      })}
    </span>
  );
}
