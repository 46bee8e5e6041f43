import type { Random } from "../../../../core/math/random.js";
import type { Look } from "../look.js";
import type { MeshBuilder, Surface } from "../mesh/builder.js";
import { box } from "../mesh/shapes.js";
import { type Piece, type PieceDrawer, piece } from "./piece.js";

/** Outer size of the case: half its width, half its depth with the fronts, and its height. */
const [HALF_W, HALF_D, HIGH] = [0.45, 0.225, 0.85];
/** Where the case ends and the fronts begin. */
const CASE_FRONT = 0.205;
const FRONT = 0.222;
/** Half the width of a front, and so of the opening behind it. */
const FRONT_HALF_W = 0.43;
const FRONT_H = 0.22;
const BACK_M = 0.018;
/** Lower edges of the fronts, from the top. */
const LOWER_EDGES = [0.58, 0.33, 0.08] as const;

/** A chest of three drawers. */
export function drawers(random: Random, look: Look): Piece {
  const body = random.pick([look.wood, look.lacquer]);
  const fronts = LOWER_EDGES.map(
    (y): PieceDrawer => ({
      front: [0, y + FRONT_H / 2, FRONT],
      sizeM: [2 * FRONT_HALF_W, FRONT_H, FRONT + HALF_D - BACK_M],
      material: body.material,
    }),
  );
  const properties = { w: 2 * HALF_W, d: 2 * HALF_D, h: HIGH, shadow: 0.34, drawers: fronts };
  return piece("chest_of_drawers", properties, (b, without = new Set()) => {
    if (without.size > 0) openCase(b, body, without);
    else box(b, body, [-HALF_W, 0, -HALF_D], [HALF_W, HIGH, CASE_FRONT]);
    for (const [i, y] of [...LOWER_EDGES.entries()].reverse()) {
      if (without.has(i)) continue;
      box(b, body, [-FRONT_HALF_W, y, CASE_FRONT], [FRONT_HALF_W, y + FRONT_H, FRONT], {
        back: false,
      });
      for (const x of [-0.22, 0.16])
        box(b, look.steel, [x, y + 0.11, FRONT], [x + 0.06, y + 0.13, 0.24]);
    }
  });
}

/** The case with an opening for each drawer that is left out. */
function openCase(b: MeshBuilder, body: Surface, without: ReadonlySet<number>): void {
  let low = 0;
  for (const [i, y] of [...LOWER_EDGES.entries()].reverse()) {
    if (!without.has(i)) continue;
    const top = y + FRONT_H;
    box(b, body, [-HALF_W, low, -HALF_D], [HALF_W, y, CASE_FRONT]);
    box(b, body, [-HALF_W, y, -HALF_D], [-FRONT_HALF_W, top, CASE_FRONT]);
    box(b, body, [FRONT_HALF_W, y, -HALF_D], [HALF_W, top, CASE_FRONT]);
    box(b, body, [-FRONT_HALF_W, y, -HALF_D], [FRONT_HALF_W, top, BACK_M - HALF_D]);
    low = top;
  }
  box(b, body, [-HALF_W, low, -HALF_D], [HALF_W, HIGH, CASE_FRONT]);
}
