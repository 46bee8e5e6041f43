import type { Made } from "../model.js";
import { DARK, type Look, turned, WHITE } from "../parts.js";

/** Rolling friction of a soft ball on a table, from experience: it stops within centimetres. */
const ROLLING_M = 0.004;

function sphere(color: string, r: number, massKg: number, looks: Made["parts"]): Made {
  return {
    color,
    massKg,
    min: [-r, -r, 0],
    max: [r, r, 2 * r],
    parts: [
      {
        type: "sphere",
        size: [r],
        position: [0, 0, r],
        volumeM3: (4 / 3) * Math.PI * r ** 3,
        use: "touch",
        rollingM: ROLLING_M,
      },
      ...looks,
    ],
    grasp: { kind: "sides", at: [0, 0, 0], widthM: 2 * r },
  };
}

/** A part of a ball's surface between two latitudes, slightly above it. */
function zone(r: number, from: number, to: number, look: Look, skin = 0) {
  const steps = 10;
  const profile = Array.from({ length: steps + 1 }, (_, i) => {
    const angle = from + ((to - from) * i) / steps;
    return [
      Math.max(1e-4, (r + skin) * Math.cos(angle)),
      r + (r + skin) * Math.sin(angle),
    ] as const;
  });
  return turned(profile, look);
}

const RIGHT = Math.PI / 2;

export const BALLS: readonly Made[] = [
  ball("yellow", 0.032, 0.06, WHITE),
  ball("red", 0.033, 0.1, WHITE),
  ball("blue", 0.031, 0.08, { rgb: [0.95, 0.8, 0.2] }),
  ball("green", 0.033, 0.09, WHITE),
  ball("orange", 0.032, 0.09, DARK),
  ball("purple", 0.031, 0.08, { rgb: [0.9, 0.85, 0.95] }),
];

function ball(color: string, r: number, massKg: number, stripe: Look): Made {
  return sphere(color, r, massKg, [
    zone(r, -RIGHT, RIGHT, {}),
    zone(r, -0.16, 0.16, stripe, 0.0003),
    zone(r, 1.15, RIGHT, stripe, 0.0003),
    zone(r, -RIGHT, -1.15, stripe, 0.0003),
  ]);
}

export const APPLES: readonly Made[] = [
  apple("red", 0.032, 0.17),
  apple("green", 0.033, 0.18),
  apple("yellow", 0.031, 0.15),
  apple("pink", 0.032, 0.16),
  apple("orange", 0.033, 0.17),
  apple("brown", 0.031, 0.15),
];

function apple(color: string, r: number, massKg: number): Made {
  return sphere(color, r, massKg, [
    turned([
      [0.28 * r, 0.06 * r],
      [0.5 * r, 0],
      [0.72 * r, 0.18 * r],
      [0.9 * r, 0.6 * r],
      [r, 1.08 * r],
      [0.95 * r, 1.45 * r],
      [0.76 * r, 1.8 * r],
      [0.5 * r, 1.94 * r],
      [0.24 * r, 1.84 * r],
      [0.06 * r, 1.66 * r],
    ]),
    turned(
      [
        [0.05 * r, 1.6 * r],
        [0.07 * r, 2 * r],
      ],
      { rgb: [0.36, 0.24, 0.12] },
    ),
  ]);
}
