import { type Samples, SUBPIXELS, type TriangleSetup } from "./samples.js";

/**
 * Fills the samples that a small triangle covers in a rectangle of pixels with four samples. Its edge functions fit into
 * 32-bit integers, which V8 computes faster than doubles.
 */
export function fillSmall(
  buffer: Samples,
  t: TriangleSetup,
  id: number,
  left: number,
  right: number,
  top: number,
  bottom: number,
): void {
  // Numbers of a small triangle have at most 31 bits.
  const a0 = (t[0] as number) | 0;
  const b0 = (t[1] as number) | 0;
  const a1 = (t[3] as number) | 0;
  const b1 = (t[4] as number) | 0;
  const a2 = (t[6] as number) | 0;
  const b2 = (t[7] as number) | 0;
  let row0 = (t[2] as number) | 0;
  let row1 = (t[5] as number) | 0;
  let row2 = (t[8] as number) | 0;
  const zx = t[9] as number;
  const zy = t[10] as number;
  const zc = t[11] as number;
  // Edge functions and depth of the four samples, relative to the pixel's corner.
  const f00 = (96 * a0 + 224 * b0) | 0;
  const f01 = (224 * a0 + 160 * b0) | 0;
  const f02 = (32 * a0 + 96 * b0) | 0;
  const f03 = (160 * a0 + 32 * b0) | 0;
  const f10 = (96 * a1 + 224 * b1) | 0;
  const f11 = (224 * a1 + 160 * b1) | 0;
  const f12 = (32 * a1 + 96 * b1) | 0;
  const f13 = (160 * a1 + 32 * b1) | 0;
  const f20 = (96 * a2 + 224 * b2) | 0;
  const f21 = (224 * a2 + 160 * b2) | 0;
  const f22 = (32 * a2 + 96 * b2) | 0;
  const f23 = (160 * a2 + 32 * b2) | 0;
  const g0 = 0.375 * zx + 0.875 * zy;
  const g1 = 0.875 * zx + 0.625 * zy;
  const g2 = 0.125 * zx + 0.375 * zy;
  const g3 = 0.625 * zx + 0.125 * zy;
  // The highest value of an edge function among the samples of a pixel.
  const high0 = Math.max(f00, f01, f02, f03) | 0;
  const high1 = Math.max(f10, f11, f12, f13) | 0;
  const high2 = Math.max(f20, f21, f22, f23) | 0;
  const stepX0 = (SUBPIXELS * a0) | 0;
  const stepX1 = (SUBPIXELS * a1) | 0;
  const stepX2 = (SUBPIXELS * a2) | 0;
  const stepY0 = (SUBPIXELS * b0) | 0;
  const stepY1 = (SUBPIXELS * b1) | 0;
  const stepY2 = (SUBPIXELS * b2) | 0;
  const { depth, owner, width } = buffer;
  for (let y = top; y <= bottom; y++) {
    let e0 = row0;
    let e1 = row1;
    let e2 = row2;
    let base = zc + zy * (y - top);
    const end = (y * width + right) * 4;
    for (let at = (y * width + left) * 4; at <= end; at += 4) {
      // A negative number has its sign in the highest bit, which `|` keeps.
      if (((e0 + high0) | (e1 + high1) | (e2 + high2)) >= 0) {
        if (((e0 + f00) | (e1 + f10) | (e2 + f20)) >= 0) {
          const z = Math.fround(base + g0);
          const before = depth[at] as number;
          if (z > before || (z === before && (owner[at] as number) < id)) {
            depth[at] = z;
            owner[at] = id;
          }
        }
        if (((e0 + f01) | (e1 + f11) | (e2 + f21)) >= 0) {
          const z = Math.fround(base + g1);
          const before = depth[at + 1] as number;
          if (z > before || (z === before && (owner[at + 1] as number) < id)) {
            depth[at + 1] = z;
            owner[at + 1] = id;
          }
        }
        if (((e0 + f02) | (e1 + f12) | (e2 + f22)) >= 0) {
          const z = Math.fround(base + g2);
          const before = depth[at + 2] as number;
          if (z > before || (z === before && (owner[at + 2] as number) < id)) {
            depth[at + 2] = z;
            owner[at + 2] = id;
          }
        }
        if (((e0 + f03) | (e1 + f13) | (e2 + f23)) >= 0) {
          const z = Math.fround(base + g3);
          const before = depth[at + 3] as number;
          if (z > before || (z === before && (owner[at + 3] as number) < id)) {
            depth[at + 3] = z;
            owner[at + 3] = id;
          }
        }
      }
      e0 = (e0 + stepX0) | 0;
      e1 = (e1 + stepX1) | 0;
      e2 = (e2 + stepX2) | 0;
      base += zx;
    }
    row0 = (row0 + stepY0) | 0;
    row1 = (row1 + stepY1) | 0;
    row2 = (row2 + stepY2) | 0;
  }
}
