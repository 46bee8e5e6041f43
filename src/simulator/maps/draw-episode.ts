import type { StoreyContent } from "./content.js";
import type { Panel } from "./layout.js";
import { arrowMark, crossStrokes, diamondMark, discMark, squareMark, starMark } from "./marks.js";
import { INK, LOAD_PX, timeColor } from "./palette.js";
import type { PathPoint } from "./path-parts.js";
import type { Point } from "./plan.js";
import { walkableWithin } from "./reach.js";
import { type Pixel, pair, path, polyline, px } from "./svg.js";

/** Number of shades along the path taken. */
const SHADES = 16;
const TICK_EVERY_M = 1;
const TICK_EVERY_PX = 34;
const TICK_PX = 5;
/** Within this distance obstacles are ignored; with many goals, each gets a plain disc. */
const MIN_WALK_M = 0.5;
const MAX_AREAS = 6;

/** Draws goal, reference, path taken and events, the most important last. */
export function drawEpisode(storey: StoreyContent, panel: Panel): string {
  const { start, end, object } = storey;
  return [
    successArea(storey, panel),
    path(
      storey.reference.map((part) => polyline(pixels(part, panel))).join(""),
      `fill="none" stroke="${INK.reference}" stroke-width="5" stroke-dasharray="9 5" stroke-linejoin="round"`,
    ),
    path(
      storey.loaded.map((part) => polyline(pixels(part, panel))).join(""),
      `fill="none" stroke="${INK.load}" stroke-width="${LOAD_PX}" stroke-linejoin="round" stroke-linecap="round"`,
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
    object.start && diamondMark(panel.project(object.start), "first"),
    object.end && diamondMark(panel.project(object.end), "last"),
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

/** The area of success: near the view points, otherwise within walking distance of the goals. */
function successArea(storey: StoreyContent, panel: Panel): string {
  const { viewPoints, goals, floor, stairs, successDistanceM = 0 } = storey;
  const walkable = [...floor, ...stairs];
  if (viewPoints.length > 0) return discs(viewPoints, successDistanceM, panel, ".4");
  if (successDistanceM < MIN_WALK_M || walkable.length === 0 || goals.length > MAX_AREAS) {
    return successDistanceM > 0 ? discs(goals, successDistanceM, panel, ".2") : "";
  }
  const rings = goals.flatMap((goal) => walkableWithin(walkable, goal, successDistanceM));
  return path(
    rings.map((ring) => polyline(ring.map(panel.project), "closed")).join(""),
    `fill="${INK.goal}" fill-opacity=".15" stroke="${INK.goal}" stroke-opacity=".5" stroke-width="1"`,
  );
}

/** A union of discs: dots of a round pen of their width, which renderers paint as one shape. */
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

/** Splits a part where its colour changes; adjacent pieces share a point. */
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

/** Small chevrons along a line that show its direction. */
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

/** Removes near-duplicates: a robot stuck at a wall collides hundreds of times in one spot. */
function distinct(points: readonly Pixel[]): Pixel[] {
  const seen = new Set<string>();
  return points.filter(([x, y]) => {
    const key = pair(x, y);
    return seen.has(key) ? false : seen.add(key);
  });
}
