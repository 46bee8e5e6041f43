import type { Random } from "../../../../core/math/random.js";
import type { Look } from "../look.js";
import type { MeshBuilder, Surface } from "../mesh/builder.js";
import { cone, cylinder, lathe } from "../mesh/round.js";
import { box, level, softBox, upright } from "../mesh/shapes.js";
import { type Piece, piece } from "./piece.js";

export function toilet(look: Look): Piece {
  const white = look.porcelain;
  return piece("toilet", { w: 0.4, d: 0.68, h: 0.8, shadow: 0.34 }, (b) => {
    // Oval foot and bowl, the seat around a dark hole, the tank behind, and the lid leaning on it.
    const at = [0, 0.08] as const;
    lathe(b, white, { at, scale: [0.9, 1.25] }, [
      [0.12, 0],
      [0.11, 0.12],
      [0.16, 0.3],
      [0.19, 0.4],
    ]);
    lathe(b, white, { at, scale: [0.92, 1.25] }, [
      [0.19, 0.4],
      [0.2, 0.41],
      [0.2, 0.43],
      [0.13, 0.43],
      [0.11, 0.36],
      [0.05, 0.28],
    ]);
    cone(b, look.paint.plain("#9fc3cf"), [0.1, 0.33], [0, 0.33], { at, scale: [0.92, 1.25] });
    box(b, white, [-0.12, 0, -0.3], [0.12, 0.4, -0.02]);
    softBox(b, white, [-0.19, 0.36, -0.34], [0.19, 0.78, -0.17], 0.03);
    softBox(b, white, [-0.2, 0.76, -0.34], [0.2, 0.8, -0.16], 0.015);
    box(b, look.steel, [-0.03, 0.8, -0.27], [0.03, 0.81, -0.23]);
    softBox(b, white, [-0.18, 0.44, -0.165], [0.18, 0.84, -0.135], 0.012);
  });
}

export function basin(random: Random, look: Look, w: number): Piece {
  const body = random.pick([look.wood, look.lacquer, look.cabinet]);
  return piece("sink", { w, d: 0.48, h: 0.86, shadow: 0.3 }, (b) => {
    const half = w / 2;
    box(b, body, [-half + 0.03, 0.24, -0.24], [half - 0.03, 0.74, 0.2]);
    box(b, body, [-half + 0.05, 0.27, 0.2], [-0.006, 0.71, 0.215], { back: false });
    box(b, body, [0.006, 0.27, 0.2], [half - 0.05, 0.71, 0.215], { back: false });
    box(b, look.steel, [-0.05, 0.56, 0.215], [-0.035, 0.68, 0.235]);
    box(b, look.steel, [0.035, 0.56, 0.215], [0.05, 0.68, 0.235]);
    const [x, z0, z1, white] = [half - 0.09, -0.12, 0.18, look.porcelain];
    box(b, white, [-half, 0.74, -0.24], [half, 0.86, z0]);
    box(b, white, [-half, 0.74, z1], [half, 0.86, 0.24]);
    box(b, white, [-half, 0.74, z0], [-x, 0.86, z1]);
    box(b, white, [x, 0.74, z0], [half, 0.86, z1]);
    level(b, white, [-x, x], 0.76, [z0, z1]);
    cylinder(b, look.black, [0, 0.03], 0.022, 0.755, 0.763, 8);
    cylinder(b, look.steel, [0, -0.17], 0.02, 0.86, 1.0, 8);
    box(b, look.steel, [-0.016, 0.97, -0.17], [0.016, 1.0, -0.03]);
  });
}

/** A filled bathtub whose long side is against the wall. */
export function bathtub(look: Look): Piece {
  const [w, d, h] = [1.6, 0.75, 0.58];
  return piece("bathtub", { w, d, h, shadow: 0.36 }, (b) => {
    const [half, deep, rim] = [w / 2, d / 2, 0.08];
    const white = look.porcelain;
    const [x, z] = [half - rim, deep - rim];
    box(b, white, [-half, 0, -deep], [half, h, -z]);
    box(b, white, [-half, 0, z], [half, h, deep]);
    box(b, white, [-half, 0, -z], [-x, h, z]);
    box(b, white, [x, 0, -z], [half, h, z]);
    const water = look.paint.plain("#a9d3df");
    level(b, water, [-x, x], 0.4, [-z, z]);
    cylinder(b, look.steel, [half - 0.3, -deep + 0.05], 0.02, h, h + 0.16, 8);
    box(b, look.steel, [half - 0.32, h + 0.13, -deep + 0.04], [half - 0.28, h + 0.16, -deep + 0.2]);
    cylinder(b, look.steel, [half - 0.14, -deep + 0.03], 0.012, h, 1.95, 6);
    lathe(b, look.steel, { at: [half - 0.14, -deep + 0.12] }, [
      [0, 1.88],
      [0.09, 1.88],
      [0.02, 1.95],
      [0, 1.95],
    ]);
  });
}

/** A tray, a rail with a half-drawn curtain, and the shower head. */
export function shower(random: Random, look: Look): Piece {
  const s = 0.9;
  const half = s / 2;
  const curtain = random.pick(look.cushions);
  return piece("shower", { w: s, d: s, h: 2.1, shadow: 0.15 }, (b) => {
    softBox(b, look.porcelain, [-half, 0, -half], [half, 0.045, half], 0.01);
    cylinder(b, look.steel, [0, 0], 0.04, 0.04, 0.048, 10);
    for (const [x, z] of [
      [half - 0.02, half - 0.02],
      [-half + 0.02, half - 0.02],
    ] as const) {
      cylinder(b, look.steel, [x, z], 0.014, 0, 2.05, 6);
    }
    box(b, look.steel, [-half, 2.03, half - 0.035], [half, 2.06, half - 0.005]);
    box(b, look.steel, [-half, 2.03, -half], [-half + 0.03, 2.06, half]);
    box(b, look.steel, [half - 0.03, 2.03, -half], [half, 2.06, half]);
    const folds = 7;
    for (let i = 0; i < folds; i++) {
      const x0 = -half + 0.02 + (0.42 * i) / folds;
      const x1 = x0 + 0.42 / folds;
      const [za, zb] = i % 2 === 0 ? [half - 0.04, half] : [half, half - 0.04];
      upright(b, curtain, [x0, za], [x1, zb], [0.28, 2.03]);
      upright(b, curtain, [x1, zb], [x0, za], [0.28, 2.03]);
    }
    cylinder(b, look.steel, [0, -half + 0.03], 0.012, 0.95, 2.0, 6);
    box(b, look.steel, [-0.012, 1.98, -half + 0.03], [0.012, 2.0, -half + 0.3]);
    lathe(b, look.steel, { at: [0, -half + 0.28] }, [
      [0, 1.93],
      [0.1, 1.93],
      [0.03, 1.98],
      [0, 1.98],
    ]);
    box(b, look.steel, [-0.07, 1.0, -half], [0.07, 1.05, -half + 0.05]);
  });
}

export function washingMachine(look: Look): Piece {
  const glass = look.paint.plain("#3d4852");
  return piece("washing_machine", { w: 0.6, d: 0.6, h: 0.86, shadow: 0.34 }, (b) => {
    box(b, look.porcelain, [-0.3, 0, -0.3], [0.3, 0.86, 0.28]);
    box(b, look.steel, [-0.29, 0.72, 0.28], [0.29, 0.83, 0.29], { back: false });
    box(b, look.black, [0.02, 0.745, 0.29], [0.16, 0.805, 0.293], { back: false });
    disc(b, look.steel, 0.21, 0.284);
    disc(b, glass, 0.16, 0.292);
    disc(b, look.paint.plain("#6f8390"), 0.09, 0.296);
  });
}

/** A flat disc on the front of a washing machine, at the height of its door. */
function disc(b: MeshBuilder, surface: Surface, r: number, z: number): void {
  const n = 18;
  const middle = b.vertex(surface, [0, 0.4, z], [0, 0, 1], 0, 0);
  const rim = Array.from({ length: n }, (_, i) => {
    const a = (2 * Math.PI * i) / n;
    return b.vertex(surface, [r * Math.cos(a), 0.4 + r * Math.sin(a), z], [0, 0, 1], 0, 0);
  });
  for (let i = 0; i < n; i++) b.triangle(surface, middle, rim[i] ?? 0, rim[(i + 1) % n] ?? 0);
}

/** A rail with a towel on the wall; y = 0 is its lower edge. */
export function towelRail(random: Random, look: Look): Piece {
  const cloth = random.pick(look.cushions);
  return piece("towel", { w: 0.5, d: 0.1, h: 0.62 }, (b) => {
    box(b, look.steel, [-0.25, 0.58, -0.02], [0.25, 0.6, 0]);
    for (const x of [-0.24, 0.22]) box(b, look.steel, [x, 0.58, -0.05], [x + 0.02, 0.6, 0]);
    softBox(b, cloth, [-0.18, 0.05, -0.03], [0.14, 0.615, 0.015], 0.012);
  });
}
