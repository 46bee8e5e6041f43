import { isInside } from "../scenes/geometry.js";
import type { SceneRoom } from "../scenes/model.js";
import type { StoreyContent } from "./content.js";
import type { Panel } from "./layout.js";
import { INK } from "./palette.js";
import { type Bounds, boundsOf, type Point } from "./plan.js";
import { type Pixel, text, textWidth } from "./svg.js";

const CAPS_PX = [8, 6.5];
/** Positions tried along each side of a room. */
const TRIES = 12;
const DOT_PX = 6;
const MARK_PX = 10;
/** Penalty of an upright name, in pixels from the centre. */
const UPRIGHT_COST = 60;

/** Places each room's name inside the room, as near to its centre as furniture and paths allow. */
export function roomNames(storey: StoreyContent, panel: Panel): string {
  const { reference, taken, goals, viewPoints, start, end } = storey;
  const lines = [...reference, ...taken].map((part) => part.map(({ point }) => point));
  const marks = [...goals, ...(start ? [start.point] : []), ...(end ? [end] : [])];
  const busy = [
    ...lines.flatMap((line) => dotted(line.map(panel.project))),
    ...viewPoints.map(panel.project),
    ...marks.flatMap((mark) => around(panel.project(mark))),
  ];
  const boxes = storey.furniture.map(({ min, max }) => ({
    min: panel.project([min[0], min[2]]),
    max: panel.project([max[0], max[2]]),
  }));
  return storey.rooms.map((room) => roomName(room, panel, boxes, busy)).join("");
}

/** Samples a line every few pixels. */
function dotted(line: readonly Pixel[]): Pixel[] {
  return line.flatMap(([x, y], i) => {
    const [bx, by] = line[i - 1] ?? [x, y];
    const dots = Math.ceil(Math.max(Math.abs(x - bx), Math.abs(y - by)) / DOT_PX);
    return Array.from({ length: dots }, (_, k): Pixel => {
      const t = (k + 1) / dots;
      return [bx + t * (x - bx), by + t * (y - by)];
    });
  });
}

/** Points that a mark covers around its position. */
function around([x, y]: Pixel): Pixel[] {
  return [-MARK_PX, 0, MARK_PX].flatMap((dx) =>
    [-MARK_PX, 0, MARK_PX].map((dy): Pixel => [x + dx, y + dy]),
  );
}

function roomName(
  room: SceneRoom,
  panel: Panel,
  furniture: readonly Bounds[],
  busy: readonly Pixel[],
): string {
  const words = room.name.replaceAll("_", " ");
  const outline = room.outline.map(panel.project);
  for (const capPx of CAPS_PX) {
    const long = textWidth(words, capPx) + 6;
    const level = bestPosition(outline, [long, capPx + 4], furniture, busy);
    const upright = bestPosition(outline, [capPx + 4, long], furniture, busy);
    const style = { capPx, color: INK.faintText, anchor: "middle", halo: "#fffc" } as const;
    if (level.at && level.cost <= upright.cost + UPRIGHT_COST) {
      return text(words, [level.at[0], level.at[1] + capPx / 2], style);
    }
    if (upright.at) {
      const base: Pixel = [upright.at[0] + capPx / 2, upright.at[1]];
      return text(words, base, { ...style, upright: true });
    }
  }
  return "";
}

interface LabelPosition {
  readonly at?: Pixel;
  /** Infinity if there is no position. */
  readonly cost: number;
}

/** The best centre for a box of this size inside the outline. */
function bestPosition(
  outline: readonly Point[],
  [width, height]: Pixel,
  furniture: readonly Bounds[],
  busy: readonly Pixel[],
): LabelPosition {
  let best: LabelPosition = { cost: Number.POSITIVE_INFINITY };
  const bounds = boundsOf(outline);
  if (!bounds) return best;
  const { min, max } = bounds;
  const middle: Pixel = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2];
  for (let i = 0; i <= TRIES; i++) {
    for (let j = 0; j <= TRIES; j++) {
      const x = min[0] + width / 2 + ((max[0] - min[0] - width) * i) / TRIES;
      const y = min[1] + height / 2 + ((max[1] - min[1] - height) * j) / TRIES;
      const box: Bounds = {
        min: [x - width / 2, y - height / 2],
        max: [x + width / 2, y + height / 2],
      };
      if (!cornersOf(box).every((corner) => isInside(outline, ...corner))) continue;
      const covered = furniture.reduce((sum, other) => sum + overlapOf(box, other), 0);
      const crossed = busy.filter((point) => holds(box, point)).length;
      const away = Math.abs(x - middle[0]) + Math.abs(y - middle[1]);
      const cost = (covered / (width * height)) * 1000 + Math.min(crossed, 20) * 60 + away;
      if (cost < best.cost) best = { at: [x, y], cost };
    }
  }
  return best;
}

/** The corners of a box, moved slightly inwards so that a box as wide as its room still fits. */
function cornersOf({ min, max }: Bounds): Pixel[] {
  return [
    [min[0] + 0.5, min[1] + 0.5],
    [max[0] - 0.5, min[1] + 0.5],
    [min[0] + 0.5, max[1] - 0.5],
    [max[0] - 0.5, max[1] - 0.5],
  ];
}

export function overlapOf(a: Bounds, b: Bounds): number {
  const width = Math.min(a.max[0], b.max[0]) - Math.max(a.min[0], b.min[0]);
  const height = Math.min(a.max[1], b.max[1]) - Math.max(a.min[1], b.min[1]);
  return Math.max(0, width) * Math.max(0, height);
}

function holds({ min, max }: Bounds, [x, y]: Pixel): boolean {
  return x > min[0] && x < max[0] && y > min[1] && y < max[1];
}
