import type { Surfaces } from "./surfaces.js";
import type { Visibility } from "./visibility.js";

/** Writes metres along the camera's axis into `depth`, 0 for background. */
export function depthInto(depth: Float32Array, visibility: Visibility): void {
  const { inverseDepth, surface } = visibility;
  for (let p = 0; p < depth.length; p++) {
    depth[p] = surface[p] === 0 ? 0 : 1 / (inverseDepth[p] as number);
  }
}

/** Writes the instance of each pixel into `ids`, 0 for background. */
export function idsInto(ids: Uint16Array, visibility: Visibility, surfaces: Surfaces): void {
  const { surface } = visibility;
  const { parts } = surfaces;
  for (let p = 0; p < ids.length; p++) ids[p] = parts[surface[p] as number]?.instance ?? 0;
}

/**
 * Packs four-byte pixels into three bytes each, four pixels at a time: the first `count` of `canvas`, into
 * `rgb` from pixel `first` on, which is a multiple of 4.
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
