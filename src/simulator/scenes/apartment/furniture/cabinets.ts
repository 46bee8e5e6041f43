import type { Random } from "../../../../core/math/random.js";
import type { Look } from "../look.js";
import type { MeshBuilder, Surface } from "../mesh/builder.js";
import { lathe } from "../mesh/round.js";
import { box, level, posts, upright } from "../mesh/shapes.js";
import { books } from "../textures/pictures.js";
import { type Piece, piece } from "./piece.js";

/**
 * A board inside a closed case. It is invisible, but without it the navmesh would have an island on the floor
 * inside.
 */
export function innerBoard(
  b: MeshBuilder,
  surface: Surface,
  w: number,
  d: number,
  y: number,
): void {
  const [x, z] = [w / 2 - 0.02, d / 2 - 0.02];
  level(b, surface, [-x, x], y, [-z, z]);
}

export function wardrobe(random: Random, look: Look, w: number): Piece {
  const body = random.pick([look.wood, look.lacquer, look.darkWood]);
  const doors = Math.max(2, Math.round(w / 0.5));
  const mirrored = random.uniform() < 0.3 ? random.below(doors) : -1;
  const h = random.pick([2.0, 2.1, 2.2]);
  const glass = look.paint.plain("#b9c9d2");
  return piece("wardrobe", { w, d: 0.6, h, shadow: 0.36 }, (b) => {
    box(b, body, [-w / 2, 0, -0.3], [w / 2, h, 0.28]);
    innerBoard(b, body, w, 0.56, 1);
    for (let i = 0; i < doors; i++) {
      const x0 = -w / 2 + 0.01 + ((w - 0.02) * i) / doors;
      const x1 = x0 + (w - 0.02) / doors - 0.008;
      box(b, i === mirrored ? glass : body, [x0, 0.09, 0.28], [x1, h - 0.03, 0.3], {
        back: false,
      });
      const knob = i % 2 === 0 ? x1 - 0.05 : x0 + 0.03;
      box(b, look.steel, [knob, 0.95, 0.3], [knob + 0.02, 1.15, 0.325]);
    }
  });
}

/** An open bookcase with rows of books; some shelves hold a vase or a box instead. */
export function bookcase(random: Random, look: Look, w: number, h: number): Piece {
  const body = random.pick([look.wood, look.darkWood, look.lacquer]);
  const rows = Math.max(2, Math.round(h / 0.36));
  const bays = w > 1 ? 2 : 1;
  const fill = Array.from({ length: rows * bays }, () => ({
    kind: random.uniform(),
    row: random.pick([0, 1, 2] as const),
    from: random.uniform(),
    vase: random.pick(look.cushions),
  }));
  return piece("shelf", { w, d: 0.32, h, shadow: 0.34 }, (b) => {
    const [half, step] = [w / 2, (h - 0.06) / rows];
    box(b, body, [-half, 0, -0.16], [-half + 0.03, h, 0.16]);
    box(b, body, [half - 0.03, 0, -0.16], [half, h, 0.16]);
    if (bays === 2) box(b, body, [-0.015, 0.05, -0.14], [0.015, h - 0.03, 0.155]);
    upright(b, body, [-half, -0.14], [half, -0.14], [0, h]);
    for (let r = 0; r <= rows; r++) {
      const y = r === 0 ? 0.03 : 0.03 + r * step;
      const low = r === 0 ? 0 : y - 0.03;
      box(b, body, [-half + 0.03, low, -0.14], [half - 0.03, r === 0 ? 0.05 : y, 0.155]);
    }
    for (const [i, { kind, row, from, vase }] of fill.entries()) {
      const bay = i % bays;
      const y = 0.035 + Math.floor(i / bays) * step + (i < bays ? 0.015 : 0);
      const x0 = -half + 0.03 + (bay * (w - 0.06)) / bays + (bay ? 0.015 : 0);
      const x1 = x0 + (w - 0.06) / bays - 0.015;
      if (kind < 0.72) {
        const spines = look.paint.surface(`books_${row}`, "#ffffff", { texture: books(row) });
        const to = kind < 0.25 ? x0 + (x1 - x0) * 0.62 : x1;
        const tall = step - 0.05;
        const u1 = from + (to - x0) / 0.55;
        upright(b, spines, [x0, 0.09], [to, 0.09], [y, y + tall], { u: [from, u1], v: [0, 1] });
        if (to < x1) {
          upright(b, look.black, [to, 0.09], [to, -0.13], [y, y + tall * 0.7]);
        }
      } else if (kind < 0.9) {
        const r = Math.min(0.09, step * 0.3);
        lathe(b, vase, { at: [(x0 + x1) / 2, 0], segments: 8 }, [
          [r * 0.6, y],
          [r, y + step * 0.3],
          [r * 0.5, y + step * 0.6],
          [r * 0.6, y + step * 0.7],
        ]);
      } else {
        box(b, vase, [x0 + 0.04, y, -0.1], [x1 - 0.04, y + step * 0.6, 0.1]);
      }
    }
  });
}

/** A low, long cabinet for a television, a dining room or a hall. */
export function sideboard(random: Random, look: Look, w: number, d: number, h: number): Piece {
  const body = random.pick([look.wood, look.lacquer, look.darkWood]);
  const doors = Math.max(1, Math.round(w / 0.5));
  return piece("cabinet", { w, d, h, shadow: 0.34 }, (b) => {
    const [half, front] = [w / 2, d / 2];
    posts(b, look.black, [-half + 0.04, half - 0.09], [-front + 0.03, front - 0.09], 0.05, 0.12);
    box(b, body, [-half, 0.1, -front], [half, h, front - 0.02]);
    for (let i = 0; i < doors; i++) {
      const x0 = -half + 0.015 + ((w - 0.03) * i) / doors;
      const x1 = x0 + (w - 0.03) / doors - 0.01;
      box(b, body, [x0, 0.12, front - 0.02], [x1, h - 0.03, front], { back: false });
      box(
        b,
        look.steel,
        [(x0 + x1) / 2 - 0.05, h - 0.1, front],
        [(x0 + x1) / 2 + 0.05, h - 0.085, front + 0.02],
      );
    }
  });
}

/** Storeroom shelving: posts, boards and boxes. */
export function rack(random: Random, look: Look, w: number): Piece {
  const card = look.paint.plain("#b98f5f");
  const tub = random.pick(look.cushions);
  const goods = Array.from({ length: 12 }, () => ({ u: random.uniform(), v: random.uniform() }));
  return piece("shelf", { w, d: 0.4, h: 1.9, shadow: 0.3 }, (b) => {
    const half = w / 2;
    posts(b, look.metal, [-half, half - 0.03], [-0.2, 0.17], 0.03, 1.9);
    const levels = [0.3, 0.75, 1.2, 1.65];
    for (const y of levels) box(b, look.metal, [-half, y - 0.03, -0.2], [half, y, 0.2]);
    for (const [i, { u, v }] of goods.entries()) {
      const y = levels[i % 4] ?? 0.3;
      const size = 0.18 + 0.14 * v;
      const x = -half + 0.05 + (w - 0.1 - size) * ((Math.floor(i / 4) + 0.7 * u) / 3);
      box(b, v < 0.65 ? card : tub, [x, y, -0.15], [x + size, y + 0.16 + 0.14 * u, 0.15]);
    }
  });
}

export function carton(random: Random, look: Look): Piece {
  const size = 0.36 + 0.14 * random.uniform();
  const card = look.paint.plain("#b98f5f");
  const tape = look.paint.plain("#d8c49a");
  return piece("box", { w: size, d: size, h: 0.38, shadow: 0.34 }, (b) => {
    const s = size / 2;
    box(b, card, [-s, 0, -s], [s, 0.38, s]);
    level(b, tape, [-0.03, 0.03], 0.382, [-s, s]);
  });
}
