import type { Random } from "../../../../core/math/random.js";
import type { Look } from "../look.js";
import { box, level, quad, softBox, upright, WHOLE_IMAGE } from "../mesh/shapes.js";
import {
  PAINTING_COUNT,
  painting,
  type RugPattern,
  rug as rugTexture,
  type Screen,
  screen,
} from "../textures/pictures.js";
import { type Piece, piece } from "./piece.js";

/** Hangs on a wall: y = 0 is its lower edge, and its back touches the wall at -d / 2. */
export function picture(random: Random, look: Look, w: number, h: number): Piece {
  const which = random.below(PAINTING_COUNT);
  const canvas = look.paint.surface(`painting_${which}`, "#ffffff", { texture: painting(which) });
  const frame = random.pick([look.black, look.wood, look.lacquer, look.darkWood]);
  return piece("picture", { w, d: 0.03, h }, (b) => {
    const [half, edge] = [w / 2, 0.035];
    box(b, frame, [-half, 0, -0.015], [half, h, 0.008]);
    upright(b, canvas, [-half + edge, 0.012], [half - edge, 0.012], [edge, h - edge], WHOLE_IMAGE);
  });
}

/** Shows two bright slanted stripes in place of a reflection. */
export function mirror(look: Look, w: number, h: number): Piece {
  const glass = look.paint.plain("#c4d6de");
  const shine = look.paint.plain("#e6f0f4");
  return piece("mirror", { w, d: 0.03, h }, (b) => {
    const half = w / 2;
    box(b, look.wood, [-half, 0, -0.015], [half, h, 0.006]);
    const [x, y0, y1] = [half - 0.03, 0.03, h - 0.03];
    upright(b, glass, [-x, 0.009], [x, 0.009], [y0, y1]);
    for (const [from, wide] of [
      [-0.75, 0.3],
      [-0.3, 0.1],
    ] as const) {
      const [a, c] = [from * x, (from + wide) * x];
      const lean = 0.5 * x;
      quad(b, shine, [
        [a, y0, 0.011],
        [c, y0, 0.011],
        [c + lean, y1, 0.011],
        [a + lean, y1, 0.011],
      ]);
    }
  });
}

export function rug(random: Random, look: Look, w: number, d: number, pattern: RugPattern): Piece {
  const tone = random.pick([
    "#c98f6a",
    "#8fa3b5",
    "#b5a58a",
    "#a65f5a",
    "#7f9a86",
    "#d8c9a8",
    "#6f7fa0",
  ]);
  const wool = look.paint.surface(`rug_${pattern}`, tone, { texture: rugTexture(pattern) });
  return piece("rug", { w, d, h: 0.008, flat: true }, (b) => {
    const [x, z, y] = [w / 2, d / 2, 0.008];
    level(b, wool, [-x, x], y, [-z, z], WHOLE_IMAGE);
    box(b, wool, [-x, 0, -z], [x, y, z], { top: false });
  });
}

/** A switched-on flat screen on a foot. */
export function television(look: Look, w: number, shown: Screen): Piece {
  const h = w * 0.58 + 0.07;
  const picture_ = look.paint.surface(`screen_${shown}`, "#ffffff", {
    texture: screen(shown),
    unlit: true,
  });
  return piece("tv_monitor", { w, d: 0.24, h }, (b) => {
    const half = w / 2;
    box(b, look.black, [-w * 0.2, 0, -0.11], [w * 0.2, 0.015, 0.11]);
    box(b, look.black, [-0.03, 0.015, -0.03], [0.03, 0.1, 0]);
    box(b, look.black, [-half, 0.07, -0.025], [half, h, 0.02]);
    const [x, low, high] = [half - 0.02, 0.095, h - 0.02];
    upright(b, picture_, [-x, 0.023], [x, 0.023], [low, high], WHOLE_IMAGE);
  });
}

/** Keyboard and mouse, in front of a monitor. */
export function keyboard(look: Look): Piece {
  return piece("keyboard", { w: 0.42, d: 0.14, h: 0.02 }, (b) => {
    box(b, look.black, [-0.21, 0, -0.07], [0.21, 0.02, 0.07]);
    box(b, look.metal, [-0.2, 0.02, -0.06], [0.2, 0.024, 0.06]);
    softBox(b, look.black, [0.26, 0, -0.04], [0.32, 0.035, 0.05], 0.015);
  });
}

/** Two panels next to a window and a rod above. Hangs on the wall; w includes both panels. */
export function curtains(random: Random, look: Look, w: number, h: number): Piece {
  const cloth = random.pick([...look.cushions, look.paint.fabric("#ece5d8")]);
  const panel = Math.min(0.34, w * 0.17);
  return piece("curtain", { w, d: 0.1, h }, (b) => {
    const half = w / 2;
    box(b, look.darkWood, [-half - 0.06, h - 0.03, -0.01], [half + 0.06, h, 0.02]);
    const folds = 6;
    for (const left of [-half, half - panel]) {
      for (let i = 0; i < folds; i++) {
        const [x0, x1] = [left + (panel * i) / folds, left + (panel * (i + 1)) / folds];
        const [za, zb] = i % 2 === 0 ? [-0.02, 0.035] : [0.035, -0.02];
        upright(b, cloth, [x0, za], [x1, zb], [0, h - 0.03]);
      }
    }
  });
}

/** Hooks with coats, for a hall. */
export function coatRack(random: Random, look: Look): Piece {
  const coats = random.shuffle([...look.cushions, look.sofa]).slice(0, 3);
  return piece("coat_rack", { w: 0.9, d: 0.16, h: 1.1 }, (b) => {
    box(b, look.wood, [-0.45, 0.95, -0.08], [0.45, 1.07, -0.055]);
    for (const [i, coat] of coats.entries()) {
      const x = -0.3 + 0.3 * i;
      box(b, look.steel, [x - 0.01, 0.98, -0.055], [x + 0.01, 1.0, 0.02]);
      softBox(b, coat, [x - 0.12, 0.08 + 0.1 * i, -0.055], [x + 0.12, 0.98, 0.06], 0.05);
    }
  });
}
