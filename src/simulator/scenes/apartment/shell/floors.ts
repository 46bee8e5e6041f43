import { isInside } from "../../geometry.js";
import type { MeshBuilder, Surface } from "../mesh/builder.js";
import { level } from "../mesh/shapes.js";
import { HALF_WALL_M, type Opening } from "../plan/types.js";
import type { RoomShell } from "./geometry.js";
import { gridPatch, stops } from "./grid.js";
import { distanceToSide, floorLight, occlusion, type Shadow } from "./occlusion.js";

/** Largest width of a floor cell, small enough for the shadow of a chair. */
const CELL_M = 0.4;

export function buildFloor(
  b: MeshBuilder,
  shell: RoomShell,
  surface: Surface,
  shadows: readonly Shadow[],
): void {
  const { xs, zs, skip } = raster(shell, CELL_M);
  gridPatch(b, {
    surface,
    normal: [0, 1, 0],
    // x, then -z: right-handed about the upward normal.
    at: (x, t) => [x, 0, 0 - t],
    ss: xs,
    ts: zs.map((z) => 0 - z).reverse(),
    skip: (x, t) => skip(x, 0 - t),
    light: (x, t) => floorLight(shell.walls, shadows, x, 0 - t),
  });
}

/** Faces downwards only, because the navmesh builder would treat an upper side as floor. */
export function buildCeiling(
  b: MeshBuilder,
  shell: RoomShell,
  surface: Surface,
  heightM: number,
): void {
  const { xs, zs, skip } = raster(shell, 1.6);
  gridPatch(b, {
    surface,
    normal: [0, -1, 0],
    at: (x, z) => [x, heightM, z],
    ss: xs,
    ts: zs,
    skip,
    light: (x, z) =>
      shell.walls.reduce(
        (light, wall) => light * occlusion(distanceToSide(wall, x, z), 0.16, 0.4),
        1,
      ),
  });
}

function raster(shell: RoomShell, widestM: number) {
  const corners = (k: 0 | 1) => shell.outline.map((p) => p[k]);
  return {
    xs: stops(corners(0), widestM),
    zs: stops(corners(1), widestM),
    skip: (x: number, z: number) => !isInside(shell.outline, x, z),
  };
}

/** The floor of an opening, within the thickness of the wall. */
export function buildThreshold(b: MeshBuilder, surface: Surface, opening: Opening): void {
  const { axis, at, from, to } = opening;
  const half = HALF_WALL_M;
  const [x0, x1, z0, z1] =
    axis === "x" ? [from, to, at - half, at + half] : [at - half, at + half, from, to];
  level(b, surface, [x0, x1], 0, [z0, z1]);
}
