import type { Random } from "../../../../core/math/random.js";
import type { Look } from "../look.js";
import { barsAround, cone, cylinder, lathe } from "../mesh/round.js";
import { type Piece, piece } from "./piece.js";

export function floorLamp(random: Random, look: Look): Piece {
  const shade = look.paint.glow(random.pick(["#fff0cf", "#ffe2b8", "#fdf6e6"]));
  const tripod = random.uniform() < 0.4;
  return piece("lamp", { w: 0.4, d: 0.4, h: 1.6, shadow: 0.16 }, (b) => {
    if (tripod) {
      barsAround(b, look.wood, 3, [0.19, 0], [0.02, 1.28], 0.03);
    } else {
      cylinder(b, look.black, [0, 0], 0.14, 0, 0.03, 14);
      cylinder(b, look.black, [0, 0], 0.014, 0.03, 1.3, 6);
    }
    lathe(b, shade, {}, [
      [0.19, 1.28],
      [0.13, 1.6],
      [0, 1.6],
    ]);
    cone(b, shade, [0, 1.3], [0.185, 1.28]);
  });
}

export function tableLamp(random: Random, look: Look): Piece {
  const shade = look.paint.glow(random.pick(["#fff0cf", "#ffe2b8"]));
  const foot = random.pick(look.cushions);
  return piece("lamp", { w: 0.24, d: 0.24, h: 0.42 }, (b) => {
    lathe(b, foot, { segments: 10 }, [
      [0.06, 0],
      [0.07, 0.06],
      [0.02, 0.2],
      [0.012, 0.24],
    ]);
    lathe(b, shade, {}, [
      [0.12, 0.22],
      [0.08, 0.42],
      [0, 0.42],
    ]);
    cone(b, shade, [0, 0.23], [0.118, 0.22]);
  });
}

/** A ceiling lamp; its top at y = h touches the ceiling. */
export function ceilingLamp(random: Random, look: Look, style: "dome" | "pendant"): Piece {
  const glass = look.paint.glow("#fffaf0");
  const shell = random.pick([look.black, look.steel, look.cushions[0] ?? look.steel]);
  const h = style === "dome" ? 0.1 : 0.7;
  return piece("lamp", { w: 0.4, d: 0.4, h }, (b) => {
    if (style === "dome") {
      lathe(b, glass, {}, [
        [0, 0],
        [0.12, 0.015],
        [0.18, 0.06],
        [0.19, h],
      ]);
      return;
    }
    cylinder(b, look.black, [0, 0], 0.008, 0.2, h, 6);
    lathe(b, shell, {}, [
      [0.2, 0],
      [0.06, 0.2],
      [0, 0.22],
    ]);
    cone(b, glass, [0, 0.02], [0.19, 0.005]);
  });
}
