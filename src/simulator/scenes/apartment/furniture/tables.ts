import type { Random } from "../../../../core/math/random.js";
import type { Look } from "../look.js";
import type { MeshBuilder, Surface } from "../mesh/builder.js";
import { bar, cylinder, lathe } from "../mesh/round.js";
import { box } from "../mesh/shapes.js";
import type { Piece } from "./piece.js";

function fourLegs(
  b: MeshBuilder,
  surface: Surface,
  w: number,
  d: number,
  thick: number,
  high: number,
): void {
  for (const x of [-w / 2 + 0.03, w / 2 - 0.03 - thick]) {
    for (const z of [-d / 2 + 0.03, d / 2 - 0.03 - thick]) {
      box(b, surface, [x, 0, z], [x + thick, high, z + thick], { top: false });
    }
  }
}

export function diningTable(random: Random, look: Look, w: number, d: number): Piece {
  const top = random.uniform() < 0.7 ? look.wood : look.darkWood;
  const metal = random.uniform() < 0.3;
  return {
    category: "table",
    w,
    d,
    h: 0.75,
    shadow: 0.2,
    build(b) {
      fourLegs(b, metal ? look.black : top, w, d, 0.07, 0.71);
      box(b, top, [-w / 2 + 0.06, 0.63, -d / 2 + 0.06], [w / 2 - 0.06, 0.71, d / 2 - 0.06]);
      box(b, top, [-w / 2, 0.71, -d / 2], [w / 2, 0.75, d / 2]);
    },
  };
}

export function roundTable(look: Look, across: number): Piece {
  const r = across / 2;
  return {
    category: "table",
    w: across,
    d: across,
    h: 0.75,
    shadow: 0.2,
    build(b) {
      lathe(b, look.darkWood, [
        [0.26, 0],
        [0.26, 0.03],
        [0.05, 0.08],
        [0.05, 0.66],
        [0.16, 0.71],
      ]);
      lathe(
        b,
        look.wood,
        [
          [0, 0.71],
          [r, 0.71],
          [r, 0.75],
          [0, 0.75],
        ],
        { segments: 24 },
      );
    },
  };
}

export function coffeeTable(random: Random, look: Look, w: number): Piece {
  const round = random.uniform() < 0.3;
  const d = round ? 0.75 : 0.55;
  const wide = round ? 0.75 : w;
  const cover = random.pick(look.cushions);
  return {
    category: "table",
    w: wide,
    d,
    h: 0.42,
    shadow: 0.26,
    build(b) {
      if (round) {
        for (let i = 0; i < 3; i++) {
          const a = (2 * Math.PI * i) / 3;
          bar(
            b,
            look.darkWood,
            [0.3 * Math.sin(a), 0, 0.3 * Math.cos(a)],
            [0.2 * Math.sin(a), 0.38, 0.2 * Math.cos(a)],
            0.04,
          );
        }
        lathe(
          b,
          look.wood,
          [
            [0, 0.38],
            [0.37, 0.38],
            [0.37, 0.42],
            [0, 0.42],
          ],
          { segments: 20 },
        );
      } else {
        fourLegs(b, look.black, wide, d, 0.05, 0.38);
        box(b, look.wood, [-wide / 2, 0.38, -d / 2], [wide / 2, 0.42, d / 2]);
      }
      // Two books on it.
      box(b, cover, [-0.16, 0.42, -0.1], [0.06, 0.45, 0.06]);
      box(b, look.lacquer, [-0.13, 0.45, -0.08], [0.05, 0.475, 0.05]);
    },
  };
}

export function desk(look: Look, w: number): Piece {
  return {
    category: "desk",
    w,
    d: 0.65,
    h: 0.74,
    shadow: 0.24,
    build(b) {
      const half = w / 2;
      box(b, look.wood, [-half, 0.7, -0.325], [half, 0.74, 0.325]);
      box(b, look.lacquer, [half - 0.42, 0.03, -0.3], [half - 0.02, 0.7, 0.3], { top: false });
      for (const y of [0.06, 0.28, 0.5]) {
        box(b, look.lacquer, [half - 0.4, y, 0.3], [half - 0.04, y + 0.19, 0.312], { back: false });
        box(b, look.steel, [half - 0.28, y + 0.13, 0.312], [half - 0.16, y + 0.145, 0.33]);
      }
      box(b, look.lacquer, [-half + 0.02, 0, -0.3], [-half + 0.06, 0.7, 0.3], { top: false });
      box(b, look.lacquer, [-half + 0.06, 0.4, -0.3], [half - 0.42, 0.68, -0.28]);
    },
  };
}

export function nightstand(look: Look): Piece {
  return {
    category: "nightstand",
    w: 0.45,
    d: 0.4,
    h: 0.5,
    shadow: 0.3,
    build(b) {
      fourLegs(b, look.darkWood, 0.45, 0.4, 0.04, 0.12);
      box(b, look.wood, [-0.225, 0.1, -0.2], [0.225, 0.5, 0.19]);
      for (const y of [0.13, 0.32]) {
        box(b, look.wood, [-0.2, y, 0.19], [0.2, y + 0.16, 0.2], { back: false });
        cylinder(b, look.steel, [0, 0.21], 0.014, y + 0.07, y + 0.095, 6);
      }
    },
  };
}
