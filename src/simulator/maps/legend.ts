import type { MapContent, StoreyContent } from "./content.js";
import type { Layout } from "./layout.js";
import {
  arrowMark,
  crossStrokes,
  diamondMark,
  discMark,
  receptacleInk,
  squareMark,
  starMark,
} from "./marks.js";
import { INK, LOAD_PX, timeColor } from "./palette.js";
import { type Pixel, path, px, segment, text, textWidth } from "./svg.js";

const CAP_PX = 7.5;
const ROW_PX = 20;
const SIGN_PX = 26;
const GAP_PX = 14;
const MIN_BAR_PX = 40;

interface Entry {
  readonly words: string;
  /** Draws the symbol, centred on a point of its 26 pixels. */
  draw(at: Pixel): string;
}

/** Draws a legend of the symbols in use, and a scale bar. */
export function drawLegend(content: MapContent, layout: Layout): { svg: string; bottom: number } {
  const { marginPx, widthPx, scale } = layout;
  const bar = scaleBar(scale);
  let [x, y] = [marginPx, layout.bottom + 16];
  const parts = [bar.draw([x, y])];
  x += bar.widthPx + GAP_PX + 6;
  for (const { words, draw } of entries(content)) {
    const wide = SIGN_PX + 5 + textWidth(words, CAP_PX);
    if (x + wide > widthPx - marginPx && x > marginPx) [x, y] = [marginPx, y + ROW_PX];
    parts.push(draw([x + SIGN_PX / 2, y]), label(words, [x + SIGN_PX + 5, y]));
    x += wide + GAP_PX;
  }
  return { svg: parts.join(""), bottom: y + 18 };
}

function label(words: string, [x, y]: Pixel): string {
  return text(words, [x, y + CAP_PX / 2], { capPx: CAP_PX, color: INK.text });
}

function entries({ storeys, successDistanceM }: MapContent): Entry[] {
  const has = (what: (storey: StoreyContent) => boolean) => storeys.some(what);
  const start = storeys.find((storey) => storey.start)?.start;
  const hasViews = has(({ viewPoints }) => viewPoints.length > 0);
  const within =
    successDistanceM === undefined ? "" : `within ${Number(successDistanceM.toFixed(2))} m of `;
  const line = ([x, y]: Pixel, from = -13, to = 13) => segment([x + from, y], [x + to, y]);
  const receptacle = ([x, y]: Pixel, which: "start" | "goal") =>
    `<rect x="${px(x - 11)}" y="${px(y - 6)}" width="22" height="12" rx="1.5" ` +
    `fill="${which === "goal" ? INK.goalObject : INK.room}" ${receptacleInk(which)}/>`;
  const hasLoad = has(({ loaded }) => loaded.some((part) => part.length > 1));
  const hasGoals = has(({ goals }) => goals.length > 0);
  const all: (Entry | false)[] = [
    start !== undefined && {
      words: "start",
      draw: (at) =>
        start.headingRad === undefined ? discMark(at) : arrowMark([at[0] - 2, at[1]], -Math.PI / 2),
    },
    hasGoals && { words: "goal", draw: (at) => starMark(at, 9) },
    (hasViews || (successDistanceM !== undefined && hasGoals)) && {
      words: hasViews ? `${within}a view point` : `${within}the goal`,
      draw: ([x, y]) =>
        `<rect x="${px(x - 9)}" y="${px(y - 6)}" width="18" height="12" rx="6" fill="${INK.goal}" ` +
        (hasViews
          ? `fill-opacity=".4"/>`
          : `fill-opacity=".15" stroke="${INK.goal}" stroke-opacity=".5"/>`),
    },
    has(({ reference }) => reference.some((part) => part.length > 1)) && {
      words: "reference path",
      draw: (at) =>
        path(line(at), `stroke="${INK.reference}" stroke-width="5" stroke-dasharray="9 5"`),
    },
    has(({ taken }) => taken.some((part) => part.length > 1)) && {
      words: hasLoad ? "path without the object" : "path taken",
      draw: (at) =>
        [0, 1, 2, 3]
          .map((i) =>
            path(
              line(at, -13 + i * 6.5, -6.5 + i * 6.5),
              `stroke="${timeColor((i + 0.5) / 4)}" stroke-width="2.6"`,
            ),
          )
          .join(""),
    },
    hasLoad && {
      words: "path with the object",
      draw: (at) =>
        path(line(at), `stroke="${INK.load}" stroke-width="${LOAD_PX}"`) +
        path(line(at), `stroke="${timeColor(0.7)}" stroke-width="2.6"`),
    },
    has(({ object }) => object.start !== undefined) && {
      words: "object at first",
      draw: (at) => diamondMark(at, "first"),
    },
    has(({ object }) => object.end !== undefined) && {
      words: "object at last",
      draw: (at) => diamondMark(at, "last"),
    },
    has(({ receptacles }) => receptacles.start !== undefined) && {
      words: "start receptacle",
      draw: (at) => receptacle(at, "start"),
    },
    has(({ receptacles }) => receptacles.goal !== undefined) && {
      words: "goal receptacle",
      draw: (at) => receptacle(at, "goal"),
    },
    has(({ collisions }) => collisions.length > 0) && {
      words: "collision",
      draw: (at) =>
        path(
          crossStrokes(at),
          `fill="none" stroke="${INK.collision}" stroke-width="1.6" stroke-linecap="round"`,
        ),
    },
    has(({ end }) => end !== undefined) && { words: "end", draw: squareMark },
  ];
  return all.filter((entry) => entry !== false);
}

/** One or two metres, or the next round length that is long enough to see. */
function scaleBar(scale: number): { widthPx: number; draw(at: Pixel): string } {
  let meters = 1;
  for (let i = 0; meters * scale < MIN_BAR_PX; i++) meters *= i % 3 === 1 ? 2.5 : 2;
  const length = meters * scale;
  const words = meters < 1000 ? `${meters} m` : `${meters / 1000} km`;
  const draw = ([x, y]: Pixel) =>
    path(
      segment([x, y - 4], [x, y + 4]) +
        segment([x, y], [x + length, y]) +
        segment([x + length, y - 4], [x + length, y + 4]),
      `stroke="${INK.text}" stroke-width="1.6" stroke-linecap="round"`,
    ) + label(words, [x + length + 6, y]);
  return { widthPx: length + 6 + textWidth(words, CAP_PX), draw };
}
