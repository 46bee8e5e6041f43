import { type Bounds, boundsOf, type Point } from "./plan.js";
import type { Pixel } from "./svg.js";

const MARGIN_PX = 16;
const GAP_PX = 20;
const LABEL_PX = 20;
/** Padding of a panel, for markers at the edge of its content. */
const PADDING_PX = 12;
/** Minimum extent of a storey on the map; a single point has none. */
const MIN_EXTENT_M = 2;
/**
 * Maximum ratio of the panels' height to the map's width, so that a long corridor does not give a tall map.
 */
const MAX_ASPECT = 0.95;
const LARGEST_SCALE = 160;

/** A storey's panel on the page. Its pixels start at its upper left corner. */
export interface Panel {
  readonly storey: number;
  readonly left: number;
  readonly top: number;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Pixels per metre, the same for all panels. */
  readonly scale: number;
  /** Converts metres to pixels of the panel: -z is up, x to the right. */
  project(point: Point): Pixel;
}

export interface Layout {
  readonly panels: readonly Panel[];
  readonly widthPx: number;
  readonly marginPx: number;
  readonly scale: number;
  /** Bottom of the panels, where the legend may begin. */
  readonly bottom: number;
}

/** The bounds of a storey's content, which determine the size of its panel. */
export interface Extent {
  readonly storey: number;
  readonly points: readonly Point[];
}

export function layOut(
  extents: readonly Extent[],
  widthPx: number,
  top: number,
  labels: "labelled" | "bare",
): Layout {
  const boxes = extents.map(({ points }) => widened(boundsOf(points)));
  const widthsM = boxes.map(({ min, max }) => max[0] - min[0]);
  const heightM = Math.max(...boxes.map(({ min, max }) => max[1] - min[1]));
  const paddings = 2 * PADDING_PX * boxes.length + GAP_PX * (boxes.length - 1);
  const roomPx = Math.max(20, widthPx - 2 * MARGIN_PX - paddings);
  const sum = widthsM.reduce((total, width) => total + width, 0);
  const scale = Math.min(roomPx / sum, (widthPx * MAX_ASPECT) / heightM, LARGEST_SCALE);
  const panelTop = top + (labels === "labelled" ? LABEL_PX : 0);
  let left = (widthPx - sum * scale - paddings) / 2;
  const panels = boxes.map(({ min, max }, i): Panel => {
    const panel = {
      storey: extents[i]?.storey ?? 0,
      left,
      top: panelTop,
      widthPx: (max[0] - min[0]) * scale + 2 * PADDING_PX,
      heightPx: (max[1] - min[1]) * scale + 2 * PADDING_PX,
      scale,
      project: ([x, z]: Point): Pixel => [
        PADDING_PX + (x - min[0]) * scale,
        PADDING_PX + (z - min[1]) * scale,
      ],
    };
    left += panel.widthPx + GAP_PX;
    return panel;
  });
  const bottom = panelTop + Math.max(...panels.map(({ heightPx }) => heightPx));
  return { panels, widthPx, marginPx: MARGIN_PX, scale, bottom };
}

function widened(bounds: Bounds | undefined): Bounds {
  const { min, max } = bounds ?? { min: [0, 0], max: [0, 0] };
  const grow = [0, 1].map((i) => Math.max(0, (MIN_EXTENT_M - ((max[i] ?? 0) - (min[i] ?? 0))) / 2));
  const [dx = 0, dz = 0] = grow;
  return { min: [min[0] - dx, min[1] - dz], max: [max[0] + dx, max[1] + dz] };
}
