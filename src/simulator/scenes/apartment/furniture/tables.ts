import type { Random } from "../../../../core/math/random.js";
import type { Look } from "../look.js";
import type { MeshBuilder, Surface } from "../mesh/builder.js";
import { barsAround, cylinder, lathe } from "../mesh/round.js";
import { box, posts } from "../mesh/shapes.js";
import { type Piece, piece } from "./piece.js";

function fourLegs(
  b: MeshBuilder,
  surface: Surface,
  w: number,
  d: number,
  thick: number,
  high: number,
): void {
  const ends = (size: number) => [-size / 2 + 0.03, size / 2 - 0.03 - thick];
  posts(b, surface, ends(w), ends(d), thick, high, { top: false });
}

export function diningTable(random: Random, look: Look, w: number, d: number): Piece {
  const top = random.uniform() < 0.7 ? look.wood : look.darkWood;
  const metal = random.uniform() < 0.3;
  return piece("table", { w, d, h: 0.75, shadow: 0.2 }, (b) => {
    fourLegs(b, metal ? look.black : top, w, d, 0.07, 0.71);
    box(b, top, [-w / 2 + 0.06, 0.63, -d / 2 + 0.06], [w / 2 - 0.06, 0.71, d / 2 - 0.06]);
    box(b, top, [-w / 2, 0.71, -d / 2], [w / 2, 0.75, d / 2]);
  });
}

export function roundTable(look: Look, across: number): Piece {
  return piece("table", { w: across, d: across, h: 0.75, shadow: 0.2 }, (b) => {
    lathe(b, look.darkWood, {}, [
      [0.26, 0],
      [0.26, 0.03],
      [0.05, 0.08],
      [0.05, 0.66],
      [0.16, 0.71],
    ]);
    cylinder(b, look.wood, [0, 0], across / 2, 0.71, 0.75, 24);
  });
}

export function coffeeTable(random: Random, look: Look, w: number): Piece {
  const round = random.uniform() < 0.3;
  const d = round ? 0.75 : 0.55;
  const wide = round ? 0.75 : w;
  const cover = random.pick(look.cushions);
  return piece("table", { w: wide, d, h: 0.42, shadow: 0.26 }, (b) => {
    if (round) {
      barsAround(b, look.darkWood, 3, [0.3, 0], [0.2, 0.38], 0.04);
      cylinder(b, look.wood, [0, 0], 0.37, 0.38, 0.42, 20);
    } else {
      fourLegs(b, look.black, wide, d, 0.05, 0.38);
      box(b, look.wood, [-wide / 2, 0.38, -d / 2], [wide / 2, 0.42, d / 2]);
    }
    // Two books on the table.
    box(b, cover, [-0.16, 0.42, -0.1], [0.06, 0.45, 0.06]);
    box(b, look.lacquer, [-0.13, 0.45, -0.08], [0.05, 0.475, 0.05]);
  });
}

export function desk(look: Look, w: number): Piece {
  return piece("desk", { w, d: 0.65, h: 0.74, shadow: 0.24 }, (b) => {
    const half = w / 2;
    box(b, look.wood, [-half, 0.7, -0.325], [half, 0.74, 0.325]);
    box(b, look.lacquer, [half - 0.42, 0.03, -0.3], [half - 0.02, 0.7, 0.3], { top: false });
    for (const y of [0.06, 0.28, 0.5]) {
      box(b, look.lacquer, [half - 0.4, y, 0.3], [half - 0.04, y + 0.19, 0.312], { back: false });
      box(b, look.steel, [half - 0.28, y + 0.13, 0.312], [half - 0.16, y + 0.145, 0.33]);
    }
    box(b, look.lacquer, [-half + 0.02, 0, -0.3], [-half + 0.06, 0.7, 0.3], { top: false });
    box(b, look.lacquer, [-half + 0.06, 0.4, -0.3], [half - 0.42, 0.68, -0.28]);
  });
}

export function nightstand(look: Look): Piece {
  return piece("nightstand", { w: 0.45, d: 0.4, h: 0.5, shadow: 0.3 }, (b) => {
    fourLegs(b, look.darkWood, 0.45, 0.4, 0.04, 0.12);
    box(b, look.wood, [-0.225, 0.1, -0.2], [0.225, 0.5, 0.19]);
    for (const y of [0.13, 0.32]) {
      box(b, look.wood, [-0.2, y, 0.19], [0.2, y + 0.16, 0.2], { back: false });
      cylinder(b, look.steel, [0, 0.21], 0.014, y + 0.07, y + 0.095, 6);
    }
  });
}
