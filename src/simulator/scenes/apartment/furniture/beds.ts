import type { Random } from "../../../../core/math/random.js";
import type { Look } from "../look.js";
import { box, posts, softBox } from "../mesh/shapes.js";
import { type Piece, piece } from "./piece.js";

/** The headboard is against the wall; the front is the foot end. */
export function bed(random: Random, look: Look, wide: number): Piece {
  const long = 2.06;
  const frame = random.uniform() < 0.6 ? look.wood : look.darkWood;
  const padded = random.uniform() < 0.4;
  const cover = random.pick(look.bedding);
  const throw_ = random.pick(look.cushions);
  const sheet = look.paint.fabric("#f4f2ee");
  const half = wide / 2;
  const pillows = wide > 1.2 ? 2 : 1;
  return piece("bed", { w: wide, d: long, h: 1.05, shadow: 0.36 }, (b) => {
    const [head, foot] = [-long / 2, long / 2];
    posts(b, frame, [-half + 0.02, half - 0.1], [head + 0.06, foot - 0.12], 0.08, 0.24);
    box(b, frame, [-half, 0.22, head + 0.04], [half, 0.34, foot]);
    if (padded) softBox(b, throw_, [-half, 0.1, head], [half, 1.05, head + 0.1], 0.05);
    else {
      box(b, frame, [-half, 0.1, head], [half, 1.0, head + 0.05]);
      box(b, frame, [-half, 1.0, head], [half, 1.05, head + 0.06]);
    }
    softBox(b, sheet, [-half + 0.02, 0.32, head + 0.08], [half - 0.02, 0.54, foot - 0.02], 0.06);
    softBox(b, cover, [-half - 0.01, 0.3, head + 0.72], [half + 0.01, 0.58, foot], 0.05);
    softBox(b, sheet, [-half - 0.005, 0.36, head + 0.62], [half + 0.005, 0.585, head + 0.84], 0.04);
    softBox(b, throw_, [-half - 0.015, 0.36, foot - 0.55], [half + 0.015, 0.595, foot - 0.2], 0.04);
    const each = (wide - 0.16) / pillows;
    for (let i = 0; i < pillows; i++) {
      const x = -half + 0.08 + each * i;
      softBox(b, sheet, [x + 0.03, 0.52, head + 0.13], [x + each - 0.03, 0.68, head + 0.55], 0.07);
    }
  });
}
