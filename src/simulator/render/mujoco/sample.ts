import type { GlMip, GlTexture } from "./scene.js";

/**
 * Looks up an image at (s, t) with trilinear filtering (`GL_LINEAR_MIPMAP_LINEAR`), repeating. `sx` ... `ty` are the
 * changes of s and t to the next pixel along x and y. Writes r, g, b, a from 0 to 255.
 */
export function sampleImage(
  texture: GlTexture,
  s: number,
  t: number,
  sx: number,
  tx: number,
  sy: number,
  ty: number,
  out: Float64Array,
): void {
  const levels = texture.faces[0] as readonly GlMip[];
  const { width, height } = levels[0] as GlMip;
  const alongX = sx * sx * width * width + tx * tx * height * height;
  const alongY = sy * sy * width * width + ty * ty * height * height;
  trilinear(levels, s, t, Math.max(alongX, alongY), true, out);
}

/** The direction of a cube map lookup and its changes to the next pixels: x, y, z each. */
export interface CubeLookup {
  readonly at: Float64Array;
  readonly dx: Float64Array;
  readonly dy: Float64Array;
}

/** Looks up a cube map by direction, with the faces and axes of OpenGL. */
export function sampleCube(
  texture: GlTexture,
  { at, dx, dy }: CubeLookup,
  out: Float64Array,
): void {
  const ax = Math.abs(at[0] as number);
  const ay = Math.abs(at[1] as number);
  const az = Math.abs(at[2] as number);
  // Major axis, and the axes and signs of s and t.
  let major = 2;
  if (ax >= ay && ax >= az) major = 0;
  else if (ay >= az) major = 1;
  const m = at[major] as number;
  const positive = m >= 0;
  const face = 2 * major + (positive ? 0 : 1);
  const sAxis = major === 0 ? 2 : 0;
  const tAxis = major === 1 ? 2 : 1;
  const sSign = major === 0 ? (positive ? -1 : 1) : major === 2 && !positive ? -1 : 1;
  const tSign = face === 2 ? 1 : -1;
  const size = m === 0 ? 1 : Math.abs(m);
  const s = (sSign * (at[sAxis] as number)) / size;
  const t = (tSign * (at[tAxis] as number)) / size;
  const levels = texture.faces[face] as readonly GlMip[];
  const half = (levels[0] as GlMip).width / 2;
  const scale = half / size;
  const dxm = (positive ? 1 : -1) * (dx[major] as number);
  const dym = (positive ? 1 : -1) * (dy[major] as number);
  const sx = (sSign * (dx[sAxis] as number) - s * dxm) * scale;
  const tx = (tSign * (dx[tAxis] as number) - t * dxm) * scale;
  const sy = (sSign * (dy[sAxis] as number) - s * dym) * scale;
  const ty = (tSign * (dy[tAxis] as number) - t * dym) * scale;
  const span2 = Math.max(sx * sx + tx * tx, sy * sy + ty * ty);
  trilinear(levels, (s + 1) / 2, (t + 1) / 2, span2, false, out);
}

/** `span2` is the square of the pixel's longer side, in texels of the finest level. */
function trilinear(
  levels: readonly GlMip[],
  s: number,
  t: number,
  span2: number,
  repeat: boolean,
  out: Float64Array,
): void {
  const last = levels.length - 1;
  const lod = span2 > 1 ? Math.min(last, 0.5 * Math.log2(span2)) : 0;
  const fine = Math.floor(lod);
  const share = lod - fine;
  bilinear(levels[fine] as GlMip, s, t, repeat, out);
  if (share === 0) return;
  const [r, g, b, a] = [out[0] as number, out[1] as number, out[2] as number, out[3] as number];
  bilinear(levels[fine + 1] as GlMip, s, t, repeat, out);
  out[0] = r + ((out[0] as number) - r) * share;
  out[1] = g + ((out[1] as number) - g) * share;
  out[2] = b + ((out[2] as number) - b) * share;
  out[3] = a + ((out[3] as number) - a) * share;
}

function bilinear(
  { width: w, height: h, texels }: GlMip,
  s: number,
  t: number,
  repeat: boolean,
  out: Float64Array,
): void {
  const fx = (repeat ? s - Math.floor(s) : s) * w - 0.5;
  const fy = (repeat ? t - Math.floor(t) : t) * h - 0.5;
  let x0 = Math.floor(fx);
  let y0 = Math.floor(fy);
  const wx = fx - x0;
  const wy = fy - y0;
  let x1 = x0 + 1;
  let y1 = y0 + 1;
  if (x0 < 0) x0 = repeat ? w - 1 : 0;
  if (y0 < 0) y0 = repeat ? h - 1 : 0;
  if (x1 >= w) x1 = repeat ? 0 : w - 1;
  if (y1 >= h) y1 = repeat ? 0 : h - 1;
  const a = texels[y0 * w + x0] as number;
  const b = texels[y0 * w + x1] as number;
  const c = texels[y1 * w + x0] as number;
  const d = texels[y1 * w + x1] as number;
  if (a === b && a === c && a === d) {
    out[0] = a & 255;
    out[1] = (a >> 8) & 255;
    out[2] = (a >> 16) & 255;
    out[3] = a >>> 24;
    return;
  }
  const wd = wx * wy;
  const wb = wx - wd;
  const wc = wy - wd;
  const wa = 1 - wx - wc;
  out[0] = (a & 255) * wa + (b & 255) * wb + (c & 255) * wc + (d & 255) * wd;
  out[1] =
    ((a >> 8) & 255) * wa + ((b >> 8) & 255) * wb + ((c >> 8) & 255) * wc + ((d >> 8) & 255) * wd;
  out[2] =
    ((a >> 16) & 255) * wa +
    ((b >> 16) & 255) * wb +
    ((c >> 16) & 255) * wc +
    ((d >> 16) & 255) * wd;
  out[3] = (a >>> 24) * wa + (b >>> 24) * wb + (c >>> 24) * wc + (d >>> 24) * wd;
}
