import type { Random } from "../../../../core/math/random.js";
import type { Look } from "../look.js";
import type { MeshBuilder, Surface } from "../mesh/builder.js";
import { bar, barsAround, cylinder, lathe } from "../mesh/round.js";
import { box, softBox } from "../mesh/shapes.js";
import { type Piece, piece } from "./piece.js";

const CORNERS = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
] as const;

function legs(
  b: MeshBuilder,
  surface: Surface,
  x: number,
  z: number,
  thick: number,
  high: number,
): void {
  for (const [sx, sz] of CORNERS) {
    const [cx, cz] = [sx * (x - thick / 2), sz * (z - thick / 2)];
    const h = thick / 2;
    box(b, surface, [cx - h, 0, cz - h], [cx + h, high, cz + h], { top: false });
  }
}

/** A dining chair: seat, four legs, and a back of slats or of cloth. */
export function chair(random: Random, look: Look, cloth: Surface): Piece {
  const frame = random.uniform() < 0.6 ? look.wood : look.darkWood;
  const slats = random.uniform() < 0.5;
  return piece("chair", { w: 0.44, d: 0.46, h: 0.9, shadow: 0.28 }, (b) => {
    legs(b, frame, 0.21, 0.21, 0.04, 0.43);
    box(b, frame, [-0.21, 0.4, -0.21], [0.21, 0.43, 0.21]);
    softBox(b, slats ? frame : cloth, [-0.22, 0.43, -0.21], [0.22, 0.47, 0.22], 0.02);
    for (const x of [-0.19, 0.19]) box(b, frame, [x - 0.02, 0.43, -0.23], [x + 0.02, 0.9, -0.19]);
    if (slats) {
      for (const y of [0.56, 0.68, 0.8]) box(b, frame, [-0.17, y, -0.22], [0.17, y + 0.07, -0.2]);
    } else {
      softBox(b, cloth, [-0.18, 0.55, -0.235], [0.18, 0.89, -0.185], 0.02);
    }
  });
}

/** A swivel chair on a star of five feet. */
export function officeChair(look: Look, cloth: Surface): Piece {
  return piece("chair", { w: 0.58, d: 0.58, h: 1.05, shadow: 0.25 }, (b) => {
    barsAround(b, look.black, 5, [0, 0.07], [0.27, 0.04], 0.04);
    cylinder(b, look.metal, [0, 0], 0.03, 0.05, 0.42, 8);
    softBox(b, cloth, [-0.25, 0.42, -0.22], [0.25, 0.51, 0.25], 0.04);
    box(b, look.black, [-0.03, 0.4, -0.27], [0.03, 0.65, -0.24]);
    softBox(b, cloth, [-0.23, 0.58, -0.27], [0.23, 1.05, -0.2], 0.04);
    for (const x of [-0.27, 0.25]) {
      box(b, look.black, [x, 0.45, -0.05], [x + 0.03, 0.66, 0]);
      box(b, look.black, [x - 0.01, 0.66, -0.14], [x + 0.04, 0.69, 0.14]);
    }
  });
}

export function stool(look: Look): Piece {
  return piece("stool", { w: 0.36, d: 0.36, h: 0.46, shadow: 0.22 }, (b) => {
    for (const [x, z] of CORNERS) {
      bar(b, look.wood, [x * 0.15, 0, z * 0.15], [x * 0.1, 0.42, z * 0.1], 0.035);
    }
    cylinder(b, look.wood, [0, 0], 0.17, 0.42, 0.46, 14);
  });
}

export function armchair(random: Random, look: Look, cloth: Surface): Piece {
  const cushion = random.pick(look.cushions);
  return piece("chair", { w: 0.82, d: 0.82, h: 0.88, shadow: 0.34 }, (b) => {
    legs(b, look.darkWood, 0.36, 0.36, 0.05, 0.14);
    softBox(b, cloth, [-0.4, 0.12, -0.4], [0.4, 0.32, 0.4], 0.04);
    softBox(b, cloth, [-0.27, 0.3, -0.25], [0.27, 0.45, 0.41], 0.05);
    softBox(b, cloth, [-0.4, 0.3, -0.41], [0.4, 0.88, -0.22], 0.07);
    for (const x of [-0.41, 0.27]) softBox(b, cloth, [x, 0.28, -0.3], [x + 0.14, 0.6, 0.4], 0.05);
    softBox(b, cushion, [-0.2, 0.46, -0.24], [0.2, 0.78, -0.1], 0.06);
  });
}

/** Two or three seats between arm rests, with a loose cushion at each end. */
export function couch(random: Random, look: Look, wide: number): Piece {
  const cloth = look.sofa;
  const seats = wide > 1.7 ? 3 : 2;
  const legged = random.uniform() < 0.6;
  const base = legged ? 0.13 : 0.02;
  const pillows = random.shuffle(look.cushions).slice(0, 2);
  return piece("couch", { w: wide, d: 0.9, h: 0.85, shadow: 0.36 }, (b) => {
    const half = wide / 2;
    if (legged) legs(b, look.darkWood, half - 0.06, 0.38, 0.05, 0.14);
    softBox(b, cloth, [-half, base, -0.45], [half, 0.3, 0.43], 0.04);
    softBox(b, cloth, [-half, 0.28, -0.45], [half, 0.85, -0.25], 0.07);
    for (const x of [-half, half - 0.18]) {
      softBox(b, cloth, [x, 0.26, -0.4], [x + 0.18, 0.62, 0.44], 0.06);
    }
    const inner = wide - 0.38;
    for (let i = 0; i < seats; i++) {
      const x0 = -inner / 2 + (inner * i) / seats;
      const x1 = x0 + inner / seats - 0.012;
      softBox(b, cloth, [x0, 0.29, -0.26], [x1, 0.45, 0.45], 0.05);
      softBox(b, cloth, [x0 + 0.01, 0.44, -0.3], [x1 - 0.01, 0.8, -0.12], 0.07);
    }
    for (const [i, pillow] of pillows.entries()) {
      const x = (i === 0 ? -1 : 1) * (inner / 2 - 0.22);
      softBox(b, pillow, [x - 0.2, 0.45, -0.14], [x + 0.2, 0.82, 0.02], 0.07);
    }
  });
}

export function pouf(random: Random, look: Look): Piece {
  const cloth = random.pick(look.cushions);
  return piece("stool", { w: 0.5, d: 0.5, h: 0.4, shadow: 0.34 }, (b) => {
    lathe(b, cloth, { segments: 14 }, [
      [0.21, 0],
      [0.25, 0.08],
      [0.25, 0.32],
      [0.21, 0.4],
      [0, 0.4],
    ]);
  });
}
