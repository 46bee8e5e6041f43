import type { Random } from "../../core/math/random.js";
import { between } from "./draw.js";

type Color = readonly [number, number, number];

/** Greatest loss and gain of light at strength 1. */
const DARKER = 0.4;
const BRIGHTER = 0.3;
/** Light colours by temperature: black bodies in sRGB, from Mitchell Charity's table. */
const TEMPERATURES: readonly (readonly [kelvin: number, color: Color])[] = [
  [3000, [1, 0.71, 0.42]],
  [6500, [1, 0.98, 0.99]],
  [8000, [0.89, 0.91, 1]],
];
/** Share of the tint that remains after a camera's white balance, at strength 1. */
const TINT = 0.5;

/** A change of the light: factors of the brightness and of each channel. */
export interface LightChange {
  readonly intensity: number;
  readonly color: Color;
}

/** Intensity and colour of the light, up to strength 2. */
export function lighting(strength: number, random: Random): LightChange {
  const intensity = between(random, 1 - DARKER * strength, 1 + BRIGHTER * strength);
  const first = TEMPERATURES[0]?.[0] ?? 0;
  const last = TEMPERATURES.at(-1)?.[0] ?? 0;
  return { intensity, color: lightColor(between(random, first, last), TINT * strength) };
}

function lightColor(kelvin: number, tint: number): Color {
  const above = Math.max(
    1,
    TEMPERATURES.findIndex(([k]) => k >= kelvin),
  );
  const [lowK, low] = TEMPERATURES[above - 1] as (typeof TEMPERATURES)[number];
  const [highK, high] = TEMPERATURES[above] as (typeof TEMPERATURES)[number];
  const share = (kelvin - lowK) / (highK - lowK);
  const mixed = (i: 0 | 1 | 2) => 1 - tint * (1 - (low[i] + share * (high[i] - low[i])));
  return [mixed(0), mixed(1), mixed(2)];
}
