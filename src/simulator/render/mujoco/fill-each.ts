import {
  INNER,
  lowest,
  POSITIONS,
  type Samples,
  SUBPIXELS,
  type TriangleSetup,
  type Visit,
} from "./samples.js";

/**
 * Fills the samples that a triangle covers in a rectangle, one by one; `visit`, if given, gets them instead of the
 * buffer. It serves images of one sample per pixel, and transparent surfaces.
 */
export function fillEach(
  buffer: Samples,
  t: TriangleSetup,
  id: number,
  left: number,
  right: number,
  top: number,
  bottom: number,
  visit: Visit | undefined,
): void {
  // Per pixel.
  const a0 = (t[0] as number) * SUBPIXELS;
  const b0 = (t[1] as number) * SUBPIXELS;
  const c0 = t[2] as number;
  const a1 = (t[3] as number) * SUBPIXELS;
  const b1 = (t[4] as number) * SUBPIXELS;
  const c1 = t[5] as number;
  const a2 = (t[6] as number) * SUBPIXELS;
  const b2 = (t[7] as number) * SUBPIXELS;
  const c2 = t[8] as number;
  const [zx, zy, zc] = [t[9], t[10], t[11]] as [number, number, number];
  const { samples, depth, owner, width } = buffer;
  const inner = samples === 1 ? 0.5 : INNER;
  const outer = 1 - inner;
  const { x: sx, y: sy } = POSITIONS[samples];
  const low0 = lowest(a0, b0, inner, outer);
  const low1 = lowest(a1, b1, inner, outer);
  const low2 = lowest(a2, b2, inner, outer);
  const high0 = -lowest(-a0, -b0, inner, outer);
  const high1 = -lowest(-a1, -b1, inner, outer);
  const high2 = -lowest(-a2, -b2, inner, outer);
  const last = right - left;
  for (let y = 0; y <= bottom - top; y++) {
    const r0 = b0 * y + c0;
    const r1 = b1 * y + c1;
    const r2 = b2 * y + c2;
    let from = 0;
    let to = last;
    if (last > 3) {
      // The part of the row in which some sample can be inside each edge.
      if (a0 > 0) from = Math.max(from, Math.ceil(-(r0 + high0) / a0));
      else if (a0 < 0) to = Math.min(to, Math.floor(-(r0 + high0) / a0));
      if (a1 > 0) from = Math.max(from, Math.ceil(-(r1 + high1) / a1));
      else if (a1 < 0) to = Math.min(to, Math.floor(-(r1 + high1) / a1));
      if (a2 > 0) from = Math.max(from, Math.ceil(-(r2 + high2) / a2));
      else if (a2 < 0) to = Math.min(to, Math.floor(-(r2 + high2) / a2));
    }
    for (let x = from; x <= to; x++) {
      const e0 = a0 * x + r0;
      const e1 = a1 * x + r1;
      const e2 = a2 * x + r2;
      if (e0 + high0 < 0 || e1 + high1 < 0 || e2 + high2 < 0) continue;
      const whole = e0 + low0 >= 0 && e1 + low1 >= 0 && e2 + low2 >= 0;
      const base = zx * x + zy * y + zc;
      let at = ((top + y) * width + left + x) * samples;
      for (let s = 0; s < samples; s++, at++) {
        const px = sx[s] as number;
        const py = sy[s] as number;
        if (
          !whole &&
          (e0 + a0 * px + b0 * py < 0 || e1 + a1 * px + b1 * py < 0 || e2 + a2 * px + b2 * py < 0)
        ) {
          continue;
        }
        const z = Math.fround(base + zx * px + zy * py);
        const before = depth[at] as number;
        if (z < before) continue;
        if (visit) visit(id, at);
        else if (z > before || (owner[at] as number) < id) {
          depth[at] = z;
          owner[at] = id;
        }
      }
    }
  }
}
