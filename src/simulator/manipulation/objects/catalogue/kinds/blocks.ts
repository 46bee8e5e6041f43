import type { Vec3 } from "../../../../../core/math/vec3.js";
import type { Made } from "../model.js";
import { block, CREAM, type Look, WHITE } from "../parts.js";

/** Thickness of what is printed or glued on a side. */
const PRINT_M = 0.0005;

/** Something with flat sides, held across its narrower side y. */
function flat(
  color: string,
  massKg: number,
  [x, y, z]: Vec3,
  parts: Made["parts"],
  bothWays = false,
): Made {
  const across = Math.PI / 2;
  return {
    color,
    massKg,
    min: [-x / 2, -y / 2, 0],
    max: [x / 2, y / 2, z],
    parts,
    grasp: {
      kind: "sides",
      at: [0, 0, 0],
      widthM: y,
      closingYawsRad: bothWays ? [across, 0] : [across],
    },
  };
}

/** A print on the front and the back, between shares of the width and the height. */
function printed(
  [x, y, z]: Vec3,
  [u0, u1]: readonly [number, number],
  [v0, v1]: readonly [number, number],
  look: Look,
  deepM = PRINT_M,
) {
  const out = y / 2 + deepM;
  const low: Vec3 = [(u0 - 0.5) * x, -out, v0 * z];
  return block(low, [(u1 - 0.5) * x, out, v1 * z], "see", look);
}

/** Cartons of tea, cereals, biscuits. */
export const BOXES: readonly Made[] = [
  carton("red", [0.12, 0.05, 0.16], 0.28, { rgb: [0.95, 0.8, 0.2] }),
  carton("blue", [0.09, 0.06, 0.13], 0.22, WHITE),
  carton("yellow", [0.13, 0.045, 0.18], 0.3, { rgb: [0.8, 0.2, 0.15] }),
  carton("green", [0.08, 0.06, 0.12], 0.18, CREAM),
  carton("purple", [0.11, 0.05, 0.15], 0.25, { rgb: [0.95, 0.75, 0.85] }),
  carton("orange", [0.1, 0.055, 0.17], 0.27, { rgb: [0.25, 0.3, 0.55] }),
];

function carton(color: string, size: Vec3, massKg: number, art: Look): Made {
  const [x, y, z] = size;
  return flat(color, massKg, size, [
    block([-x / 2, -y / 2, 0], [x / 2, y / 2, z], "both"),
    printed(size, [0.08, 0.92], [0.62, 0.86], WHITE),
    printed(size, [0.16, 0.6], [0.7, 0.77], { shade: 0.7 }, 2 * PRINT_M),
    printed(size, [0.2, 0.8], [0.16, 0.52], art),
    printed(size, [0.34, 0.66], [0.24, 0.44], { shade: 0.8 }, 2 * PRINT_M),
    // Flaps of the lid.
    block([-x / 2 + 0.004, -0.001, z], [x / 2 - 0.004, 0.001, z + PRINT_M], "see", { shade: 0.6 }),
  ]);
}

/** They stand: lying, they would be too wide for the fingers. */
export const BOOKS: readonly Made[] = [
  book("blue", [0.13, 0.04, 0.19], 0.4),
  book("red", [0.12, 0.035, 0.18], 0.33),
  book("green", [0.14, 0.045, 0.2], 0.48),
  book("brown", [0.11, 0.042, 0.17], 0.35),
  book("black", [0.13, 0.038, 0.185], 0.38),
  book("purple", [0.12, 0.046, 0.175], 0.4),
];

function book(color: string, size: Vec3, massKg: number): Made {
  const [x, y, z] = size;
  const board = 0.003;
  const gold: Look = { rgb: [0.85, 0.72, 0.35] };
  return flat(color, massKg, size, [
    block([-x / 2, -y / 2, 0], [x / 2, y / 2, z], "touch"),
    block([-x / 2, -y / 2, 0], [x / 2, -y / 2 + board, z], "see"),
    block([-x / 2, y / 2 - board, 0], [x / 2, y / 2, z], "see"),
    block([-x / 2, -y / 2, 0], [-x / 2 + board, y / 2, z], "see"),
    block(
      [-x / 2 + board, -y / 2 + board, 0.004],
      [x / 2 - 0.005, y / 2 - board, z - 0.004],
      "see",
      CREAM,
    ),
    printed(size, [0.2, 0.8], [0.68, 0.8], gold),
    printed(size, [0.3, 0.7], [0.2, 0.24], gold),
    block([-x / 2 - PRINT_M, -y / 4, 0.7 * z], [-x / 2, y / 4, 0.78 * z], "see", gold),
    block([-x / 2 - PRINT_M, -y / 2, 0.9 * z], [-x / 2, y / 2, 0.92 * z], "see", gold),
    block([-x / 2 - PRINT_M, -y / 2, 0.08 * z], [-x / 2, y / 2, 0.1 * z], "see", gold),
  ]);
}

/** Wooden cubes with a square of another colour on each side. */
export const TOY_BLOCKS: readonly Made[] = [
  toyBlock("red", 0.06, 0.12, CREAM),
  toyBlock("blue", 0.062, 0.13, { rgb: [0.95, 0.8, 0.2] }),
  toyBlock("green", 0.06, 0.12, WHITE),
  toyBlock("yellow", 0.064, 0.14, { rgb: [0.2, 0.4, 0.75] }),
  toyBlock("orange", 0.06, 0.12, CREAM),
  toyBlock("purple", 0.062, 0.13, { rgb: [0.9, 0.85, 0.95] }),
];

function toyBlock(color: string, side: number, massKg: number, inlay: Look): Made {
  const half = side / 2;
  const size: Vec3 = [side, side, side];
  const [edge, mark] = [0.36 * side, 0.18 * side];
  const through = (axis: number, reach: number, wide: number, look: Look) => {
    const corner = [wide, wide, wide].map((w, k) => (k === axis ? half + reach : w));
    const [x = 0, y = 0, z = 0] = corner;
    return block([-x, -y, half - z], [x, y, half + z], "see", look);
  };
  return flat(
    color,
    massKg,
    size,
    [
      block([-half, -half, 0], [half, half, side], "both"),
      ...[0, 1].flatMap((axis) => [
        through(axis, PRINT_M, edge, inlay),
        through(axis, 2 * PRINT_M, mark, {}),
      ]),
      block([-edge, -edge, side], [edge, edge, side + PRINT_M], "see", inlay),
      block([-mark, -mark, side], [mark, mark, side + 2 * PRINT_M], "see", {}),
    ],
    true,
  );
}
