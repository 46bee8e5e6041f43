import type { Random } from "../../../../core/math/random.js";
import type { Look } from "../look.js";
import type { MeshBuilder, Surface } from "../mesh/builder.js";
import { cylinder } from "../mesh/round.js";
import { box, level, quad, upright } from "../mesh/shapes.js";
import { HALF_WALL_M, type Opening, OUTER_WALL_M, type Rect } from "../plan/types.js";
import { type RoomShell, strip } from "./geometry.js";

const CASING_M = { wide: 0.07, thick: 0.016 } as const;
const LEAF_M = 0.04;

/** The sides and the head of an opening, through the thickness of the wall, in the opening's own axes. */
export function buildReveal(b: MeshBuilder, surface: Surface, opening: Opening): void {
  const half = (opening.to - opening.from) / 2;
  const front = HALF_WALL_M;
  const back = opening.rooms[1] < 0 ? 0 - OUTER_WALL_M : 0 - HALF_WALL_M;
  const [low, high] = [opening.bottomM, opening.topM];
  upright(b, surface, [-half, front], [-half, back], [low, high]);
  upright(b, surface, [half, back], [half, front], [low, high]);
  quad(b, surface, [
    [-half, high, front],
    [-half, high, back],
    [half, high, back],
    [half, high, front],
  ]);
  if (low > 0) {
    level(b, surface, [-half, half], low, [back, front]);
  }
}

/** The casing around a door on both faces of the wall. */
export function buildCasing(b: MeshBuilder, surface: Surface, opening: Opening): void {
  const half = (opening.to - opening.from) / 2;
  const { wide, thick } = CASING_M;
  const faces = opening.rooms[1] < 0 ? [1] : [1, -1];
  for (const side of faces) {
    const ends = [side * HALF_WALL_M, side * (HALF_WALL_M + thick)];
    const [low, high] = [Math.min(...ends), Math.max(...ends)];
    const top = opening.topM;
    box(b, surface, [-half - wide, 0, low], [-half, top + wide, high]);
    box(b, surface, [half, 0, low], [half + wide, top + wide, high]);
    box(b, surface, [-half, top, low], [half, top + wide, high]);
  }
}

/** A door leaf in its own axes: from x0 to x1, its faces across z. */
export function buildLeaf(
  b: MeshBuilder,
  look: Look,
  x0: number,
  x1: number,
  z0: number,
  handleX: number,
): void {
  const z1 = z0 + LEAF_M;
  const high = 2.03;
  box(b, look.door, [x0, 0.012, z0], [x1, high, z1]);
  const [left, right] = [x0 + 0.12, x1 - 0.12];
  for (const [low, top] of [
    [0.18, 0.88],
    [1.02, 1.88],
  ] as const) {
    box(b, look.door, [left, low, z1], [right, top, z1 + 0.006], { back: false });
    box(b, look.door, [left, low, z0 - 0.006], [right, top, z0]);
  }
  for (const z of [z0 - 0.05, z1 + 0.01]) {
    box(b, look.steel, [handleX - 0.06, 0.98, z], [handleX + 0.06, 1.005, z + 0.04]);
  }
}

/** The closed front door. */
export function buildEntrance(b: MeshBuilder, look: Look, opening: Opening): void {
  const half = (opening.to - opening.from) / 2;
  buildLeaf(b, look, -half, half, -0.03, half - 0.1);
  cylinder(b, look.steel, [0, 0.02], 0.02, 1.5, 1.53, 8);
}

export interface Leaf {
  /** Index of the room that the open leaf is in. */
  readonly room: number;
  /** In the opening's own axes: where the leaf begins, and on which side of the wall. */
  readonly x0: number;
  readonly x1: number;
  readonly z0: number;
  readonly handleX: number;
  /** Footprint in the apartment's axes. */
  readonly rect: Rect;
}

/** Where a door can stay fully open, flat against the wall next to it; undefined if nowhere. */
export function openLeaf(
  random: Random,
  opening: Opening,
  shells: readonly RoomShell[],
): Leaf | undefined {
  const wide = opening.to - opening.from;
  const gap = CASING_M.wide + 0.01;
  const sidesFirst = random.below(4);
  for (let k = 0; k < 4; k++) {
    const choice = (sidesFirst + k) % 4;
    const room = opening.rooms[choice & 1 ? 1 : 0];
    const shell = shells[room];
    const wall = shell?.walls.find((w) => w.holes.some((h) => h.opening === opening));
    const hole = wall?.holes.find((h) => h.opening === opening);
    if (!wall || !hole) continue;
    const after = (choice & 2) !== 0;
    const from = after ? hole.to + gap : hole.from - gap - wide;
    const to = from + wide;
    if (from < 0.05 || to > wall.length - 0.05) continue;
    if (wall.holes.some((h) => h !== hole && h.from < to + 0.1 && h.to > from - 0.1)) continue;
    // x runs along the wall as seen from the first room, and reversed as seen from the second.
    const first = room === opening.rooms[0];
    const half = wide / 2;
    const right = after === first;
    const x0 = right ? half + gap : -half - gap - wide;
    const z0 = first ? HALF_WALL_M + 0.05 : -HALF_WALL_M - 0.05 - LEAF_M;
    const handleX = right ? x0 + wide - 0.1 : x0 + 0.1;
    return { room, x0, x1: x0 + wide, z0, handleX, rect: strip(wall, from, to, 0.12) };
  }
  return undefined;
}
