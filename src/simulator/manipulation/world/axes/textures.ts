import type { Random } from "../../../../core/math/random.js";
import { between, blend } from "../../../axes/draw.js";
import type { LookSpec } from "../world.js";

type Color = readonly [number, number, number];

const TABLES: readonly Color[] = [
  [0.72, 0.57, 0.42],
  [0.45, 0.31, 0.21],
  [0.85, 0.83, 0.78],
  [0.32, 0.34, 0.37],
  [0.62, 0.66, 0.6],
];
const FLOORS: readonly Color[] = [
  [0.55, 0.55, 0.56],
  [0.6, 0.48, 0.36],
  [0.38, 0.4, 0.42],
  [0.72, 0.69, 0.63],
];
const WALLS: readonly Color[] = [
  [0.86, 0.86, 0.83],
  [0.78, 0.83, 0.88],
  [0.88, 0.8, 0.7],
  [0.72, 0.8, 0.72],
];
const COLOR_JITTER = 0.06;

/** Colours between the look's own and random ones of table, floor and walls; `share` 1 is the random ones. */
export function textures(
  look: LookSpec,
  share: number,
  random: Random,
): Pick<LookSpec, "table" | "floor" | "wall"> {
  const color = (own: Color, palette: readonly Color[]): Color => {
    const [r, g, b] = random.pick(palette);
    const jitter = (c: number) =>
      Math.min(1, Math.max(0, c + between(random, -COLOR_JITTER, COLOR_JITTER)));
    const drawn = [jitter(r), jitter(g), jitter(b)] as const;
    return [
      blend(own[0], drawn[0], share),
      blend(own[1], drawn[1], share),
      blend(own[2], drawn[2], share),
    ];
  };
  return {
    table: color(look.table, TABLES),
    floor: color(look.floor, FLOORS),
    wall: color(look.wall, WALLS),
  };
}
