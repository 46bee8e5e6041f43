import type { Vec3 } from "../../../../core/math/vec3.js";
import type { Finish, Look } from "../look.js";
import type { MeshBuilder, Surface } from "../mesh/builder.js";
import { quad } from "../mesh/shapes.js";
import { onWall, type RoomShell, type WallSide } from "./geometry.js";
import { gridPatch, stops } from "./grid.js";
import { occlusion } from "./occlusion.js";

const SKIRTING_M = { high: 0.08, thick: 0.014 } as const;

function pointOn(wall: WallSide, s: number, y: number, off = 0): Vec3 {
  const [x, z] = onWall(wall, s, off);
  return [x, y, z];
}

/** One face of a wall between two heights, with its openings. */
function face(
  b: MeshBuilder,
  wall: WallSide,
  surface: Surface,
  [bottom, top]: readonly [number, number],
  light: (s: number, y: number) => number,
): void {
  const holes = wall.holes.map((h) => ({ ...h, low: h.opening.bottomM, high: h.opening.topM }));
  const inside = (y: number) => y > bottom + 1e-6 && y < top - 1e-6;
  const near = wall.length > 1.2 ? [0.22, 0.6, wall.length - 0.6, wall.length - 0.22] : [];
  const clear = near.filter(
    (s) => !holes.some((h) => Math.abs(s - h.from) < 0.1 || Math.abs(s - h.to) < 0.1),
  );
  const ss = stops([0, wall.length, ...clear, ...holes.flatMap((h) => [h.from, h.to])], 3);
  const ys = stops(
    [
      bottom,
      top,
      ...[0.3, top - 0.35].filter(inside),
      ...holes.flatMap((h) => [h.low, h.high]).filter(inside),
    ],
    2.4,
  );
  gridPatch(b, {
    surface,
    normal: [wall.normal[0], 0, wall.normal[1]],
    at: (s, y) => pointOn(wall, s, y),
    ss,
    ts: ys,
    skip: (s, y) => holes.some((h) => s > h.from && s < h.to && y > h.low && y < h.high),
    light,
  });
}

/** The walls of a room from inside, with skirting boards. */
export function buildWalls(
  b: MeshBuilder,
  shell: RoomShell,
  finish: Finish,
  look: Look,
  heightM: number,
): void {
  const longest = Math.max(...shell.walls.map((w) => w.length));
  for (const wall of shell.walls) {
    const light = (s: number, y: number) =>
      (wall.openStart ? 1 : occlusion(s, 0.2, 0.3)) *
      (wall.openEnd ? 1 : occlusion(wall.length - s, 0.2, 0.3)) *
      occlusion(y, 0.2, 0.25) *
      occlusion(heightM - y, 0.14, 0.35);
    const surface = finish.accent && wall.length === longest ? finish.accent : finish.wall;
    const dado = finish.dado;
    if (dado) {
      face(b, wall, dado.surface, [0, dado.heightM], light);
      face(b, wall, surface, [dado.heightM, heightM], light);
    } else {
      face(b, wall, surface, [0, heightM], light);
      skirting(b, wall, look.trim);
    }
  }
}

function skirting(b: MeshBuilder, wall: WallSide, trim: Surface): void {
  let from = 0;
  const gaps = wall.holes
    .filter((h) => h.opening.bottomM < SKIRTING_M.high)
    .map((h) => {
      // Doors have frames next to them; plain archways have none.
      const frame = h.opening.kind === "arch" ? 0 : 0.07;
      return { from: h.from - frame, to: h.to + frame };
    });
  for (const gap of [...gaps, { from: wall.length, to: wall.length }]) {
    if (gap.from - from > 0.02) {
      const { high, thick } = SKIRTING_M;
      const to = gap.from;
      const p = (s: number, y: number, off: number) => pointOn(wall, s, y, off);
      quad(b, trim, [p(from, 0, thick), p(to, 0, thick), p(to, high, thick), p(from, high, thick)]);
      quad(b, trim, [p(from, high, thick), p(to, high, thick), p(to, high, 0), p(from, high, 0)]);
      quad(b, trim, [p(from, 0, 0), p(from, 0, thick), p(from, high, thick), p(from, high, 0)]);
      quad(b, trim, [p(to, 0, thick), p(to, 0, 0), p(to, high, 0), p(to, high, thick)]);
    }
    from = Math.max(from, gap.to);
  }
}

/** Lower edge of the facade: below the floor, so that the scene's bounds end at a fixed depth. */
const FOOT_M = -0.19;

/** The building from outside. */
export function buildFacade(
  b: MeshBuilder,
  walls: readonly WallSide[],
  surface: Surface,
  heightM: number,
): void {
  for (const wall of walls) face(b, wall, surface, [FOOT_M, heightM], () => 1);
}
