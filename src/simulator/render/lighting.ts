/**
 * The light of every scene: a sky above, what the floor throws back, and two wide soft lamps from
 * different sides, so that the four walls of a room differ and a box shows its edges. It depends on the
 * direction a surface faces and on nothing else, hence is computed once for parts that do not move.
 *
 * Brightness multiplies sRGB values directly. That is not physics, but it keeps the mid-tones of painted
 * textures as their authors saw them, and never needs clamping: the sum stays below 1.
 */
type Rgb = readonly [r: number, g: number, b: number];

const SKY: Rgb = [0.64, 0.65, 0.67];
const GROUND: Rgb = [0.82, 0.8, 0.77];
const LAMPS: readonly { readonly towards: Rgb; readonly color: Rgb }[] = [
  { towards: unit(0.45, 0.75, 0.5), color: [0.325, 0.315, 0.285] },
  { towards: unit(-0.8, 0.1, 0.35), color: [0.08, 0.085, 0.095] },
];

/** Full brightness in the fixed-point numbers that shading multiplies with. */
export const FULL_LIGHT = 256;

/**
 * A little of the light comes from beside the camera: what is nearer is brighter, so that a near white
 * wall stands out from a far one. The part of the brightness that fades with 1 / depth beyond a metre.
 */
export const NEAR_LIGHT = 0.12;

/** Light on a surface that faces along the unit vector (x, y, z), 0 to 1 a channel, into `out`. */
export function lightTowards(x: number, y: number, z: number, out: Float64Array): void {
  const skyward = 0.5 + 0.5 * y;
  for (let channel = 0; channel < 3; channel++) {
    const sky = SKY[channel] as number;
    const ground = GROUND[channel] as number;
    out[channel] = ground + (sky - ground) * skyward;
  }
  for (const { towards, color } of LAMPS) {
    // A wide lamp still reaches surfaces turned somewhat past it ("wrapped" diffuse), without a hard edge.
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
