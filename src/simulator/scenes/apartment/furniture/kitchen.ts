import type { Random } from "../../../../core/math/random.js";
import type { Look } from "../look.js";
import type { MeshBuilder } from "../mesh/builder.js";
import { cylinder, lathe } from "../mesh/round.js";
import { box, level, upright } from "../mesh/shapes.js";
import { subwayTiles } from "../textures/surfaces.js";
import { innerBoard } from "./cabinets.js";
import { type Piece, piece } from "./piece.js";

const COUNTER_M = { deep: 0.6, high: 0.9 } as const;

function carcass(b: MeshBuilder, look: Look, w: number): void {
  const half = w / 2;
  box(b, look.black, [-half, 0, -0.3], [half, 0.1, 0.24]);
  box(b, look.cabinet, [-half, 0.1, -0.3], [half, 0.86, 0.28], { top: false });
}

function splashback(b: MeshBuilder, look: Look, w: number): void {
  const tiles = look.paint.surface("splash", "#f4f4f0", { texture: subwayTiles(), repeatM: 0.6 });
  const half = w / 2;
  upright(b, tiles, [-half, -0.312], [half, -0.312], [0.9, 1.42]);
}

/** Base units under one worktop. */
export function counter(random: Random, look: Look, w: number): Piece {
  const drawersFirst = random.uniform() < 0.5;
  const doors = Math.max(1, Math.round(w / 0.5));
  const ware = random.pick(look.cushions);
  const withWare = random.uniform();
  return piece("counter", { w, d: COUNTER_M.deep, h: COUNTER_M.high, shadow: 0.34 }, (b) => {
    const half = w / 2;
    carcass(b, look, w);
    box(b, look.worktop, [-half, 0.86, -0.31], [half, 0.9, 0.3]);
    splashback(b, look, w);
    for (let i = 0; i < doors; i++) {
      const x0 = -half + 0.006 + ((w - 0.012) * i) / doors;
      const x1 = x0 + (w - 0.012) / doors - 0.008;
      const split = drawersFirst && i === 0 ? [0.11, 0.36, 0.61, 0.85] : [0.11, 0.66, 0.85];
      for (const [k, y] of split.slice(0, -1).entries()) {
        const top = (split[k + 1] ?? y) - 0.008;
        box(b, look.cabinet, [x0, y, 0.28], [x1, top, 0.298], { back: false });
        box(
          b,
          look.steel,
          [(x0 + x1) / 2 - 0.06, top - 0.05, 0.298],
          [(x0 + x1) / 2 + 0.06, top - 0.035, 0.32],
        );
      }
    }
    if (withWare < 0.5) {
      lathe(b, ware, { at: [-half + 0.2, -0.15], segments: 8 }, [
        [0.05, 0.9],
        [0.07, 0.98],
        [0.06, 1.06],
        [0, 1.08],
      ]);
      cylinder(b, look.steel, [-half + 0.36, -0.18], 0.05, 0.9, 1.08, 8);
    } else if (withWare < 0.8) {
      box(b, look.wood, [half - 0.4, 0.9, -0.26], [half - 0.1, 1.12, -0.23]);
      box(b, look.black, [half - 0.4, 0.9, -0.2], [half - 0.12, 1.08, -0.02]);
    }
  });
}

export function sinkUnit(look: Look): Piece {
  const w = 0.8;
  return piece("sink", { w, d: COUNTER_M.deep, h: COUNTER_M.high, shadow: 0.34 }, (b) => {
    const half = w / 2;
    carcass(b, look, w);
    splashback(b, look, w);
    const [x0, x1, z0, z1] = [-0.27, 0.27, -0.2, 0.2];
    // The worktop around the basin, and the basin itself.
    box(b, look.worktop, [-half, 0.86, z1], [half, 0.9, 0.3]);
    box(b, look.worktop, [-half, 0.86, -0.31], [half, 0.9, z0]);
    box(b, look.worktop, [-half, 0.86, z0], [x0, 0.9, z1]);
    box(b, look.worktop, [x1, 0.86, z0], [half, 0.9, z1]);
    const steel = look.steel;
    level(b, steel, [x0, x1], 0.72, [z0, z1]);
    // Back, front, left and right wall of the basin, facing inwards.
    for (const [xa, za, xb, zb] of [
      [x0, z0, x1, z0],
      [x1, z1, x0, z1],
      [x0, z1, x0, z0],
      [x1, z0, x1, z1],
    ] as const) {
      upright(b, steel, [xa, za], [xb, zb], [0.72, 0.905]);
    }
    cylinder(b, steel, [0, -0.25], 0.022, 0.9, 1.2, 8);
    box(b, steel, [-0.016, 1.18, -0.25], [0.016, 1.21, -0.06]);
    box(b, steel, [-0.016, 1.12, -0.09], [0.016, 1.18, -0.06]);
    for (const [a, c] of [
      [-half + 0.006, -0.004],
      [0.004, half - 0.006],
    ] as const) {
      box(b, look.cabinet, [a, 0.11, 0.28], [c, 0.85, 0.298], { back: false });
      const x = a < -0.1 ? c - 0.06 : a + 0.045;
      box(b, steel, [x, 0.62, 0.298], [x + 0.015, 0.76, 0.32]);
    }
  });
}

/** A cooker with four hotplates above an oven. */
export function stove(look: Look): Piece {
  const w = 0.6;
  const glass = look.paint.plain("#1b1d20");
  const plate = look.paint.plain("#4a2f2c");
  return piece("stove", { w, d: COUNTER_M.deep, h: COUNTER_M.high, shadow: 0.34 }, (b) => {
    splashback(b, look, w);
    box(b, look.steel, [-0.3, 0, -0.31], [0.3, 0.89, 0.28]);
    box(b, glass, [-0.29, 0.89, -0.28], [0.29, 0.9, 0.27]);
    for (const [x, z, r] of [
      [-0.14, -0.13, 0.085],
      [0.14, -0.13, 0.1],
      [-0.14, 0.12, 0.1],
      [0.14, 0.12, 0.085],
    ] as const) {
      lathe(b, plate, { at: [x, z], segments: 14 }, [
        [r, 0.9],
        [r, 0.906],
        [0, 0.906],
      ]);
    }
    box(b, glass, [-0.25, 0.22, 0.28], [0.25, 0.62, 0.296], { back: false });
    box(b, look.metal, [-0.24, 0.67, 0.29], [0.24, 0.69, 0.325]);
    for (const x of [-0.2, -0.07, 0.07, 0.2]) {
      box(b, glass, [x - 0.02, 0.77, 0.28], [x + 0.02, 0.81, 0.305], { back: false });
    }
    cylinder(b, look.steel, [-0.14, 0.12], 0.09, 0.906, 1.02, 12);
    box(b, look.black, [-0.34, 0.98, 0.11], [-0.22, 1.0, 0.13]);
  });
}

export function fridge(random: Random, look: Look): Piece {
  const body = random.pick([
    look.steel,
    look.porcelain,
    look.steel,
    look.cushions[0] ?? look.steel,
  ]);
  const h = 1.85;
  return piece("fridge", { w: 0.65, d: 0.65, h, shadow: 0.36 }, (b) => {
    box(b, body, [-0.325, 0.03, -0.325], [0.325, h, 0.26]);
    box(b, look.black, [-0.31, 0, -0.3], [0.31, 0.03, 0.24]);
    innerBoard(b, body, 0.6, 0.55, 0.95);
    box(b, body, [-0.32, 0.05, 0.27], [0.32, 0.66, 0.325]);
    box(b, body, [-0.32, 0.68, 0.27], [0.32, h, 0.325]);
    box(b, look.metal, [-0.28, 0.4, 0.325], [-0.255, 0.62, 0.36]);
    box(b, look.metal, [-0.28, 0.74, 0.325], [-0.255, 1.2, 0.36]);
    box(b, look.cushions[1] ?? look.metal, [0.05, 1.35, 0.325], [0.17, 1.5, 0.328], {
      back: false,
    });
    box(b, look.porcelain, [-0.12, 1.2, 0.325], [0.02, 1.36, 0.328], { back: false });
  });
}

/** A cabinet on the wall; y = 0 is its lower edge. */
export function wallCabinet(look: Look, w: number): Piece {
  const doors = Math.max(1, Math.round(w / 0.45));
  return piece("cabinet", { w, d: 0.34, h: 0.65 }, (b) => {
    const half = w / 2;
    box(b, look.cabinet, [-half, 0.02, -0.17], [half, 0.65, 0.15]);
    for (let i = 0; i < doors; i++) {
      const x0 = -half + 0.006 + ((w - 0.012) * i) / doors;
      const x1 = x0 + (w - 0.012) / doors - 0.008;
      box(b, look.cabinet, [x0, 0.02, 0.15], [x1, 0.645, 0.168], { back: false });
      const x = i % 2 === 0 ? x1 - 0.05 : x0 + 0.035;
      box(b, look.steel, [x, 0.06, 0.168], [x + 0.015, 0.18, 0.19]);
    }
  });
}

export function hood(look: Look): Piece {
  return piece("hood", { w: 0.6, d: 0.45, h: 0.75 }, (b) => {
    box(b, look.steel, [-0.3, 0.02, -0.22], [0.3, 0.14, 0.22]);
    box(b, look.steel, [-0.14, 0.14, -0.22], [0.14, 0.75, 0.02]);
  });
}

export function bin(look: Look): Piece {
  return piece("bin", { w: 0.3, d: 0.3, h: 0.5, shadow: 0.3 }, (b) => {
    lathe(b, look.metal, {}, [
      [0.13, 0],
      [0.145, 0.42],
      [0.15, 0.44],
      [0.1, 0.5],
      [0, 0.5],
    ]);
  });
}
