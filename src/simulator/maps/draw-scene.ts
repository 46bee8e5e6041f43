import type { StoreyContent } from "./content.js";
import { drawFurniture } from "./furniture.js";
import { roomNames } from "./labels.js";
import type { Panel } from "./layout.js";
import { outlines } from "./outlines.js";
import { INK } from "./palette.js";
import type { PlanPolygon, Point } from "./plan.js";
import { path, polyline, px } from "./svg.js";
import { type Walls, wallsOf } from "./walls.js";

/** Typical thickness of inner walls. */
const WALL_M = 0.14;

/** Draws the scene itself: rooms, walkable area, furniture, walls and names. */
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
    drawFurniture(storey, panel) +
    path(
      lines(walls.solid, panel),
      `stroke="${INK.wall}" stroke-width="1.2" stroke-linecap="square"`,
    ) +
    roomNames(storey, panel)
  );
}

/**
 * Rooms end at the faces of their walls. A broad line around each room fills the gap between two rooms; the
 * room's floor then covers the inner half of the line.
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
