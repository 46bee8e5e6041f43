/**
 * The light of every scene: a sky above, its reflection from the floor, and two wide soft lamps from
 * different sides, so that the four walls of a room differ and a box shows its edges. It depends only on the
 * direction of the surface, so it is computed once for parts that do not move.
 *
 * Brightness multiplies sRGB values directly. That is not physically correct, but it preserves the mid-tones
 * of painted textures and needs no clamping: the sum stays below 1.
 */
type Rgb = readonly [r: number, g: number, b: number];

const SKY: Rgb = [0.64, 0.65, 0.67];
const GROUND: Rgb = [0.82, 0.8, 0.77];
const LAMPS: readonly { readonly towards: Rgb; readonly color: Rgb }[] = [
  { towards: unit(0.45, 0.75, 0.5), color: [0.325, 0.315, 0.285] },
  { towards: unit(-0.8, 0.1, 0.35), color: [0.08, 0.085, 0.095] },
];

/** Full brightness in the fixed-point numbers of shading. */
export const FULL_LIGHT = 256;

/**
 * The share of the brightness that fades with 1 / depth beyond a metre, like a lamp next to the camera. It
 * separates a near white wall from a far one.
 */
export const NEAR_LIGHT = 0.12;

/** Writes the light on a surface with the unit normal (x, y, z) into `out`, 0 to 1 per channel. */
export function lightTowards(x: number, y: number, z: number, out: Float64Array): void {
  const skyward = 0.5 + 0.5 * y;
  for (let channel = 0; channel < 3; channel++) {
    const sky = SKY[channel] as number;
    const ground = GROUND[channel] as number;
    out[channel] = ground + (sky - ground) * skyward;
  }
  for (const { towards, color } of LAMPS) {
    // A wide lamp also reaches surfaces that face slightly away ("wrapped" diffuse), without a hard edge.
    const facing = 0.5 + 0.5 * (x * towards[0] + y * towards[1] + z * towards[2]);
    const weight = facing * facing;
    for (let channel = 0; channel < 3; channel++) {
      out[channel] = (out[channel] as number) + weight * (color[channel] as number);
    }
  }
}

function unit(x: number, y: number, z: number): Rgb {
  const length = Math.sqrt(x * x + y * y + z * z);
  return [x / length, y / length, z / length];
}
