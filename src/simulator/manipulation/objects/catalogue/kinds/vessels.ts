import type { Made } from "../model.js";
import { CREAM, DARK, type Look, STEEL, WHITE } from "../parts.js";
import { vessel } from "./hollow.js";

type Row = readonly [color: string, footM: number, mouthM: number, highM: number, massKg: number];

const NAVY: Look = { rgb: [0.16, 0.2, 0.35] };

export const MUGS: readonly Made[] = [
  mug(["blue", 0.031, 0.031, 0.085, 0.26]),
  mug(["red", 0.026, 0.032, 0.08, 0.22]),
  mug(["white", 0.031, 0.031, 0.09, 0.28], { inside: NAVY, dipped: [0.3, NAVY] }),
  mug(["green", 0.03, 0.032, 0.075, 0.21], { inside: CREAM }),
  mug(["yellow", 0.03, 0.03, 0.095, 0.27]),
  mug(["black", 0.027, 0.032, 0.085, 0.24], { inside: DARK, dipped: [0.4, CREAM] }),
];

function mug([color, footM, mouthM, highM, massKg]: Row, more: Partial<Extras> = {}): Made {
  const handleM = 0.028;
  return vessel({ color, massKg, footM, mouthM, highM, thickM: 0.0045, handleM, ...more }, "sides");
}

interface Extras {
  readonly inside: Look;
  readonly dipped: readonly [share: number, look: Look];
}

/** Tumblers, without a handle. */
export const CUPS: readonly Made[] = [
  cup(["orange", 0.026, 0.032, 0.1, 0.07], { inside: { shade: 0.85 } }),
  cup(["purple", 0.029, 0.031, 0.09, 0.08], { inside: { shade: 0.85 } }),
  cup(["gray", 0.03, 0.031, 0.11, 0.12], { inside: STEEL, dipped: [0.12, DARK] }),
  cup(["pink", 0.027, 0.031, 0.085, 0.06], { inside: { shade: 0.85 } }),
  cup(["green", 0.028, 0.032, 0.105, 0.07], { inside: { shade: 0.85 } }),
  cup(["red", 0.026, 0.031, 0.115, 0.08], { inside: WHITE, dipped: [0.18, WHITE] }),
];

function cup([color, footM, mouthM, highM, massKg]: Row, more: Partial<Extras>): Made {
  return vessel({ color, massKg, footM, mouthM, highM, thickM: 0.003, ...more }, "sides");
}

export const BOWLS: readonly Made[] = [
  bowl(["white", 0.042, 0.07, 0.062, 0.3], { inside: WHITE, dipped: [0.25, NAVY] }),
  bowl(["blue", 0.04, 0.065, 0.06, 0.27], { inside: { shade: 0.9 } }),
  bowl(["orange", 0.045, 0.072, 0.06, 0.16], { inside: { shade: 0.9 } }),
  bowl(["brown", 0.042, 0.068, 0.065, 0.19], { inside: { shade: 0.8 } }),
  bowl(["green", 0.04, 0.066, 0.064, 0.28], { inside: { shade: 0.85 }, dipped: [0.25, CREAM] }),
  bowl(["red", 0.045, 0.075, 0.06, 0.3], { inside: { shade: 0.9 } }),
];

function bowl([color, footM, mouthM, highM, massKg]: Row, more: Partial<Extras> = {}): Made {
  return vessel({ color, massKg, footM, mouthM, highM, thickM: 0.005, ...more }, "rim");
}

/** With an upright rim, on which fingers hold better than on a flat one. */
export const PLATES: readonly Made[] = [
  plate(["white", 0.083, 0.088, 0.03, 0.22], { inside: WHITE }),
  plate(["blue", 0.079, 0.084, 0.03, 0.2], { inside: { shade: 0.9 } }),
  plate(["yellow", 0.076, 0.082, 0.03, 0.14], { inside: { shade: 0.93 } }),
  plate(["gray", 0.08, 0.086, 0.031, 0.21], { inside: { shade: 1.1 } }),
  plate(["green", 0.076, 0.083, 0.03, 0.14], { inside: { shade: 0.93 } }),
  plate(["black", 0.081, 0.086, 0.031, 0.21], { inside: DARK }),
];

function plate([color, footM, mouthM, highM, massKg]: Row, more: Partial<Extras> = {}): Made {
  return vessel({ color, massKg, footM, mouthM, highM, thickM: 0.005, ...more }, "rim");
}
