import type { Surfaces } from "./surfaces.js";
import type { Visibility } from "./visibility.js";

/** Metres along the camera's axis, 0 where there is nothing, into `depth`. */
export function depthInto(depth: Float32Array, visibility: Visibility): void {
  const { inverseDepth, surface } = visibility;
  for (let p = 0; p < depth.length; p++) {
    depth[p] = surface[p] === 0 ? 0 : 1 / (inverseDepth[p] as number);
  }
}

/** The instance each pixel sees, 0 where there is nothing, into `ids`. */
export function idsInto(ids: Uint16Array, visibility: Visibility, surfaces: Surfaces): void {
  const { surface } = visibility;
  const { parts } = surfaces;
  for (let p = 0; p < ids.length; p++) ids[p] = parts[surface[p] as number]?.instance ?? 0;
}

/**
 * Three bytes a pixel from four, four pixels at a time: the first `count` of `canvas`, into `rgb` from pixel
 * `first` on, which is a multiple of 4.
 */
export function packInto(rgb: Uint8Array, first: number, canvas: Int32Array, count: number): void {
  const whole = count & ~3;
  const words = new Uint32Array(rgb.buffer, first * 3, (whole / 4) * 3);
  for (let p = 0, w = 0; p < whole; p += 4, w += 3) {
    const a = canvas[p] as number;
    const b = canvas[p + 1] as number;
    const c = canvas[p + 2] as number;
    const d = canvas[p + 3] as number;
    words[w] = a | (b << 24);
    words[w + 1] = (b >>> 8) | (c << 16);
    words[w + 2] = (c >>> 16) | (d << 8);
  }
  for (let p = whole; p < count; p++) {
    for (let k = 0; k < 3; k++) rgb[(first + p) * 3 + k] = (canvas[p] as number) >>> (k * 8);
  }
}
