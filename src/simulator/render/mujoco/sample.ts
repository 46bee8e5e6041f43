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
  const [x, y, z] = [at[0] as number, at[1] as number, at[2] as number];
  const [ax, ay, az] = [Math.abs(x), Math.abs(y), Math.abs(z)];
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
  const slope = (of: Float64Array, axis: number, sign: number, value: number) =>
    ((sign * (of[axis] as number) - value * Math.sign(m) * (of[major] as number)) / size) * half;
  const sx = slope(dx, sAxis, sSign, s);
  const tx = slope(dx, tAxis, tSign, t);
  const sy = slope(dy, sAxis, sSign, s);
  const ty = slope(dy, tAxis, tSign, t);
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
  out.fill(0);
  const last = levels.length - 1;
  const lod = span2 > 1 ? Math.min(last, 0.5 * Math.log2(span2)) : 0;
  const fine = Math.floor(lod);
  const share = lod - fine;
  addBilinear(levels[fine] as GlMip, s, t, 1 - share, repeat, out);
  if (share > 0) addBilinear(levels[Math.min(last, fine + 1)] as GlMip, s, t, share, repeat, out);
}

function addBilinear(
  { width: w, height: h, texels }: GlMip,
  s: number,
  t: number,
  weight: number,
  repeat: boolean,
  out: Float64Array,
): void {
  const fx = s * w - 0.5;
  const fy = t * h - 0.5;
  let x0 = Math.floor(fx);
  let y0 = Math.floor(fy);
  const wx = fx - x0;
  const wy = fy - y0;
  let x1 = x0 + 1;
  let y1 = y0 + 1;
  if (repeat) {
    x0 -= Math.floor(x0 / w) * w;
    x1 -= Math.floor(x1 / w) * w;
    y0 -= Math.floor(y0 / h) * h;
    y1 -= Math.floor(y1 / h) * h;
  } else {
    x0 = x0 < 0 ? 0 : x0 >= w ? w - 1 : x0;
    x1 = x1 < 0 ? 0 : x1 >= w ? w - 1 : x1;
    y0 = y0 < 0 ? 0 : y0 >= h ? h - 1 : y0;
    y1 = y1 < 0 ? 0 : y1 >= h ? h - 1 : y1;
  }
  const a = 4 * (y0 * w + x0);
  const b = 4 * (y0 * w + x1);
  const c = 4 * (y1 * w + x0);
  const d = 4 * (y1 * w + x1);
  const wa = (1 - wx) * (1 - wy) * weight;
  const wb = wx * (1 - wy) * weight;
  const wc = (1 - wx) * wy * weight;
  const wd = wx * wy * weight;
  for (let k = 0; k < 4; k++) {
    out[k] =
      (out[k] as number) +
      (texels[a + k] as number) * wa +
      (texels[b + k] as number) * wb +
      (texels[c + k] as number) * wc +
      (texels[d + k] as number) * wd;
  }
}
