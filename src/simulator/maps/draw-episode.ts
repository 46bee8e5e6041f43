import type { StoreyContent } from "./content.js";
import type { Panel } from "./layout.js";
import { arrowMark, crossStrokes, discMark, squareMark, starMark } from "./marks.js";
import { INK, timeColor } from "./palette.js";
import type { PathPoint } from "./path-parts.js";
import type { Point } from "./plan.js";
import { within } from "./reach.js";
import { type Pixel, pair, path, polyline, px } from "./svg.js";

/** Shades that the taken path goes through. */
const SHADES = 16;
const TICK_EVERY_M = 1;
const TICK_EVERY_PX = 34;
const TICK_PX = 5;
/** Nearer than this nothing is in the way; and around many goals a disc each will do. */
const ON_FOOT_M = 0.5;
const MOST_AREAS = 6;

/** Goal, reference, taken path and what happened on it, the most telling last. */
export function drawEpisode(storey: StoreyContent, panel: Panel): string {
  const { start, end } = storey;
  return [
    successArea(storey, panel),
    path(
      storey.reference.map((part) => polyline(pixels(part, panel))).join(""),
      `fill="none" stroke="${INK.reference}" stroke-width="5" stroke-dasharray="9 5" stroke-linejoin="round"`,
    ),
    takenPath(storey, panel),
    path(
      distinct(storey.collisions.map(panel.project)).map(crossStrokes).join(""),
      `fill="none" stroke="${INK.collision}" stroke-width="1.6" stroke-linecap="round"`,
    ),
    end && storey.taken.length > 0 ? squareMark(panel.project(end)) : "",
    ...distinct(storey.goals.map(panel.project)).map((at) =>
      starMark(at, storey.goals.length > 12 ? 6 : 9),
    ),
    start &&
      (start.headingRad === undefined
        ? discMark(panel.project(start.point))
        : arrowMark(panel.project(start.point), start.headingRad)),
  ]
    .filter(Boolean)
    .join("");
}

function pixels(part: readonly PathPoint[], panel: Panel): Pixel[] {
  return part.map(({ point }) => panel.project(point));
}

/** Where success counts: near the view points, else what is near the goals on foot. */
function successArea(storey: StoreyContent, panel: Panel): string {
  const { viewPoints, goals, floor, stairs, successDistanceM = 0 } = storey;
  const onFoot = [...floor, ...stairs];
  if (viewPoints.length > 0) return discs(viewPoints, successDistanceM, panel, ".4");
  if (successDistanceM < ON_FOOT_M || onFoot.length === 0 || goals.length > MOST_AREAS) {
    return successDistanceM > 0 ? discs(goals, successDistanceM, panel, ".2") : "";
  }
  const rings = goals.flatMap((goal) => within(onFoot, goal, successDistanceM));
  return path(
    rings.map((ring) => polyline(ring.map(panel.project), "closed")).join(""),
    `fill="${INK.goal}" fill-opacity=".15" stroke="${INK.goal}" stroke-opacity=".5" stroke-width="1"`,
  );
}

/**
 * The union of discs: dots of a round pen as wide as they are, which a renderer paints as one shape however
 * many overlap.
 */
function discs(points: readonly Point[], radiusM: number, panel: Panel, opacity: string): string {
  const dots = distinct(points.map(panel.project)).map(([x, y]) => `M${pair(x, y)}h.1`);
  const width = 2 * Math.max(radiusM * panel.scale, 1.5);
  return path(
    dots.join(""),
    `fill="none" stroke="${INK.goal}" stroke-linecap="round" stroke-width="${px(width)}" stroke-opacity="${opacity}"`,
  );
}

function takenPath({ taken }: StoreyContent, panel: Panel): string {
  const lines = taken.flatMap((part) =>
    shades(part).map(({ shade, points }) =>
      path(polyline(points.map(panel.project)), `stroke="${timeColor((shade + 0.5) / SHADES)}"`),
    ),
  );
  const ticks = taken.map((part) => directionTicks(pixels(part, panel), panel.scale)).join("");
  if (lines.join("") === "") return "";
  return (
    `<g fill="none" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round">${lines.join("")}` +
    `${path(ticks, `stroke="${INK.end}" stroke-width="1.5"`)}</g>`
  );
}

/** Cuts a part where its colour changes; neighbours share the point between them. */
function shades(part: readonly PathPoint[]): { shade: number; points: Point[] }[] {
  const cuts: { shade: number; points: Point[] }[] = [];
  for (const [i, { point, share }] of part.entries()) {
    const before = part[i - 1];
    if (!before) continue;
    const shade = Math.min(SHADES - 1, Math.floor(((before.share + share) / 2) * SHADES));
    const last = cuts.at(-1);
    if (last?.shade === shade) last.points.push(point);
    else cuts.push({ shade, points: [before.point, point] });
  }
  return cuts;
}

/** Small chevrons along a line, each pointing where it goes. */
function directionTicks(line: readonly Pixel[], scale: number): string {
  const every = Math.max(TICK_EVERY_M * scale, TICK_EVERY_PX);
  let ticks = "";
  let untilNext = every / 2;
  for (const [i, [x, y]] of line.entries()) {
    const [bx, by] = line[i - 1] ?? [x, y];
    const [dx, dy] = [x - bx, y - by];
    const length = Math.sqrt(dx * dx + dy * dy);
    if (length === 0) continue;
    const [ux, uy] = [dx / length, dy / length];
    let done = untilNext;
    for (; done <= length; done += every) {
      const tip: Pixel = [bx + ux * (done + 2), by + uy * (done + 2)];
      const [back, side] = [TICK_PX, TICK_PX * 0.7];
      ticks += polyline([
        [tip[0] - ux * back - uy * side, tip[1] - uy * back + ux * side],
        tip,
        [tip[0] - ux * back + uy * side, tip[1] - uy * back - ux * side],
      ]);
    }
    untilNext = done - length;
  }
  return ticks;
}

/** A robot stuck at a wall collides hundreds of times in one spot. */
function distinct(points: readonly Pixel[]): Pixel[] {
  const seen = new Set<string>();
  return points.filter(([x, y]) => {
    const key = pair(x, y);
    return seen.has(key) ? false : seen.add(key);
  });
}
