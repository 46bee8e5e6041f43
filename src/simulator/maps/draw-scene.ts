import type { SceneInstance } from "../scenes/model.js";
import type { StoreyContent } from "./content.js";
import { roomNames } from "./labels.js";
import type { Panel } from "./layout.js";
import { outlines } from "./outlines.js";
import { INK, isSought, tintOf } from "./palette.js";
import type { PlanPolygon, Point } from "./plan.js";
import { type Pixel, path, polyline, px, text, textWidth } from "./svg.js";
import { type Walls, wallsOf } from "./walls.js";

const LABEL_CAP_PX = 5.5;
/** As thick as inner walls usually are. */
const WALL_M = 0.14;
/** Rugs, pictures and lamps on tables would only hide what one can bump into. */
const LEAST_BOX_PX = 2;

/** Rooms, walkable area, furniture, walls and names: what was there before the episode. */
export function drawScene(storey: StoreyContent, panel: Panel): string {
  const ring = (corners: readonly Point[]) => polyline(corners.map(panel.project), "closed");
  const area = (polygons: readonly PlanPolygon[]) => outlines(polygons).map(ring).join("");
  const edge = `stroke="${INK.walkableEdge}" stroke-width="1" stroke-linejoin="round"`;
  const walls = wallsOf(storey.rooms, storey.doors);
  const rooms = storey.rooms.map(({ outline }) => ring(outline)).join("");
  return (
    drawWalls(walls, panel) +
    path(rooms, `fill="${INK.room}"`) +
    path(area(storey.stairs), `fill="${INK.stairs}" ${edge} stroke-dasharray="3 2"`) +
    path(area(storey.floor), `fill="${INK.walkable}" ${edge}`) +
    storey.furniture.map((instance) => drawBox(instance, storey, panel)).join("") +
    path(
      lines(walls.solid, panel),
      `stroke="${INK.wall}" stroke-width="1.2" stroke-linecap="square"`,
    ) +
    roomNames(storey, panel)
  );
}

/**
 * Rooms end at the faces of their walls: a broad line around each, of which its floor then covers the inner
 * half, fills what is between two rooms.
 */
function drawWalls({ solid, open }: Walls, panel: Panel): string {
  const wide = `stroke-width="${px(Math.max(3, WALL_M * panel.scale))}"`;
  return (
    path(lines(solid, panel), `stroke="${INK.wall}" ${wide} stroke-linecap="square"`) +
    path(lines(open, panel), `stroke="${INK.room}" ${wide}`)
  );
}

function lines(segments: Walls["solid"], panel: Panel): string {
  return segments.map((ends) => polyline(ends.map(panel.project))).join("");
}

function drawBox(instance: SceneInstance, storey: StoreyContent, panel: Panel): string {
  const { min, max, category } = instance;
  const [x, y] = panel.project([min[0], min[2]]);
  const [right, bottom] = panel.project([max[0], max[2]]);
  const [width, height] = [right - x, bottom - y];
  if (Math.min(width, height) < LEAST_BOX_PX) return "";
  const isGoal = storey.goalObjects.has(instance) && isSought(category);
  const ink = isGoal
    ? `fill="#f3d3e5" stroke="${INK.goal}" stroke-width="1.8"`
    : `fill="${tintOf(category)}" stroke="#8d8a84" stroke-width=".7"`;
  const box = `<rect x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${px(height)}" rx="1.5" ${ink}/>`;
  // The goal's star stands in the middle.
  const lower = isGoal ? Math.min(15, height / 2 - LABEL_CAP_PX) : 0;
  const middle: Pixel = [x + width / 2, y + height / 2 + lower];
  return box + boxLabel(category.replaceAll("_", " "), middle, width, height);
}

/** Along the box or up it; not at all where it would not fit. */
function boxLabel(words: string, [x, y]: Pixel, width: number, height: number): string {
  const long = textWidth(words, LABEL_CAP_PX) + 5;
  const tall = LABEL_CAP_PX + 5;
  const style = {
    capPx: LABEL_CAP_PX,
    color: INK.faintText,
    anchor: "middle",
    weight: 14,
  } as const;
  const half = LABEL_CAP_PX / 2;
  if (long <= width && tall <= height) return text(words, [x, y + half], style);
  if (long <= height && tall <= width)
    return text(words, [x + half, y], { ...style, upright: true });
  return "";
}
