/** Colours of samples, r in the lowest byte, then g and b. */
export type Canvas = Int32Array;

/** A channel from 0 to 255, rounded as a framebuffer stores it. */
export function byte(value: number): number {
  return value <= 0 ? 0 : value >= 255 ? 255 : (value + 0.5) | 0;
}

/** The sum of two colours, at most 255 per channel (`glBlendFunc(GL_ONE, GL_ONE)`). */
export function sum(a: number, b: number): number {
  const r = (a & 255) + (b & 255);
  const g = ((a >> 8) & 255) + ((b >> 8) & 255);
  const blue = ((a >> 16) & 255) + ((b >> 16) & 255);
  return Math.min(r, 255) | (Math.min(g, 255) << 8) | (Math.min(blue, 255) << 16);
}

/** `over` with an opacity from 0 to 1 in front of `under`. */
export function blend(under: number, over: number, opacity: number): number {
  const channel = (shift: number) =>
    byte(((over >> shift) & 255) * opacity + ((under >> shift) & 255) * (1 - opacity)) << shift;
  return channel(0) | channel(8) | channel(16);
}

/** Writes the mean colour of each pixel's samples as r, g, b. */
export function resolveInto(rgb: Uint8Array, canvas: Canvas, samples: 1 | 4): void {
  for (let p = 0, at = 0; at < rgb.length; p += samples, at += 3) {
    const a = canvas[p] as number;
    if (samples === 1) {
      rgb[at] = a & 255;
      rgb[at + 1] = (a >> 8) & 255;
      rgb[at + 2] = (a >> 16) & 255;
      continue;
    }
    const b = canvas[p + 1] as number;
    const c = canvas[p + 2] as number;
    const d = canvas[p + 3] as number;
    if (a === b && c === d && a === c) {
      rgb[at] = a & 255;
      rgb[at + 1] = (a >> 8) & 255;
      rgb[at + 2] = (a >> 16) & 255;
      continue;
    }
    rgb[at] = ((a & 255) + (b & 255) + (c & 255) + (d & 255) + 2) >> 2;
    rgb[at + 1] =
      (((a >> 8) & 255) + ((b >> 8) & 255) + ((c >> 8) & 255) + ((d >> 8) & 255) + 2) >> 2;
    rgb[at + 2] =
      (((a >> 16) & 255) + ((b >> 16) & 255) + ((c >> 16) & 255) + ((d >> 16) & 255) + 2) >> 2;
  }
}
