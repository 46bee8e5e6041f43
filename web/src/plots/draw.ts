import uPlot from "uplot";
import type { PlotSpec } from "./series.js";

/** Line colours, distinguishable with common kinds of colour blindness; further lines repeat them dashed. */
const LINES = [
  "#3b82c4",
  "#e08a1e",
  "#1f9d7a",
  "#c4568f",
  "#8a6fd1",
  "#b5a11c",
  "#5aa9d6",
  "#d1495b",
];

export function lineColor(index: number): string {
  return LINES[index % LINES.length] ?? "#888888";
}

interface PlotColors {
  readonly text: string;
  readonly grid: string;
  readonly holds: string;
  readonly threshold: string;
}

/** The page's colours in the current theme. */
export function plotColorsOf(element: Element): PlotColors {
  const style = getComputedStyle(element);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return {
    text: read("--muted"),
    grid: read("--line"),
    holds: read("--success-soft"),
    threshold: read("--failure"),
  };
}

export interface Drawing {
  readonly spec: PlotSpec;
  readonly width: number;
  readonly height: number;
  readonly colors: PlotColors;
  readonly hovered: (index: number | null) => void;
  /** Called when sizes or scales have changed. */
  readonly drawn: (plot: uPlot) => void;
}

/** Increments of the step axis. */
const WHOLE = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];

export function optionsOf({ spec, width, height, colors, hovered, drawn }: Drawing): uPlot.Options {
  const font = "11px system-ui, sans-serif";
  const axis = {
    stroke: colors.text,
    font,
    grid: { stroke: colors.grid, width: 1 },
    ticks: { show: false },
  };
  const { categories } = spec;
  return {
    width,
    height,
    legend: { show: false },
    // The right padding fits half of the last label.
    padding: [6, 14, 0, 0],
    cursor: {
      y: false,
      drag: { x: false, y: false },
      sync: { key: "episode" },
      points: { size: 6 },
    },
    scales: { x: { time: false }, y: { range: (_, low, high) => yRange(spec, low, high) } },
    axes: [
      { ...axis, size: 20, gap: 2, space: 60, incrs: WHOLE },
      {
        ...axis,
        gap: 4,
        space: 24,
        size: categories ? 92 : 48,
        ...(categories && {
          splits: () => categories.map((_, index) => index),
          values: () => categories.map((name) => name.replaceAll("_", " ")),
        }),
      },
    ],
    series: [{}, ...spec.series.map((_, index) => lineOf(spec, index))],
    hooks: {
      drawClear: [(plot) => shade(plot, spec, colors)],
      draw: [(plot) => thresholdLine(plot, spec, colors), drawn],
      setCursor: [(plot) => hovered(plot.cursor.idx ?? null)],
    },
  };
}

function lineOf(spec: PlotSpec, index: number): uPlot.Series {
  const stepped = uPlot.paths.stepped?.({ align: -1 });
  return {
    stroke: lineColor(index),
    width: 1.5,
    points: { show: false },
    spanGaps: false,
    ...(index >= LINES.length && { dash: [4, 3] }),
    ...(spec.stepped && stepped && { paths: stepped }),
  };
}

function yRange(spec: PlotSpec, low: number | null, high: number | null): [number, number] {
  if (spec.categories) return [-0.5, spec.categories.length - 0.5];
  const known = [low, high, spec.threshold].filter((value) => typeof value === "number");
  const [from, to] = [Math.min(...known), Math.max(...known)];
  if (!Number.isFinite(from)) return [0, 1];
  const room = (to - from) * 0.08 || Math.abs(to) * 0.1 || 0.5;
  return [from - room, to + room];
}

function shade(plot: uPlot, { holds }: PlotSpec, colors: PlotColors): void {
  if (!holds) return;
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.fillStyle = colors.holds;
  runs(holds, (from, to) => {
    const left = Math.max(bbox.left, plot.valToPos(from - 0.5, "x", true));
    const right = Math.min(bbox.left + bbox.width, plot.valToPos(to + 0.5, "x", true));
    ctx.fillRect(left, bbox.top, right - left, bbox.height);
  });
  ctx.restore();
}

function thresholdLine(plot: uPlot, { threshold }: PlotSpec, colors: PlotColors): void {
  if (threshold === null) return;
  const { ctx, bbox } = plot;
  const y = plot.valToPos(threshold, "y", true);
  ctx.save();
  ctx.strokeStyle = colors.threshold;
  ctx.lineWidth = Math.max(1, uPlot.pxRatio);
  ctx.setLineDash([5 * uPlot.pxRatio, 4 * uPlot.pxRatio]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.restore();
}

/** Calls `each` with the first and last index of every run of true values. */
export function runs(holds: readonly boolean[], each: (from: number, to: number) => void): void {
  let from = -1;
  for (let index = 0; index <= holds.length; index += 1) {
    if (holds[index] && from < 0) from = index;
    if (!holds[index] && from >= 0) {
      each(from, index - 1);
      from = -1;
    }
  }
}
