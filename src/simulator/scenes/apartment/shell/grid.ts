import type { Vec3 } from "../../../../core/math/vec3.js";
import type { MeshBuilder, Surface } from "../mesh/builder.js";
import { planar } from "../mesh/shapes.js";

interface Patch {
  readonly surface: Surface;
  readonly normal: Vec3;
  readonly at: (s: number, t: number) => Vec3;
  readonly ss: readonly number[];
  readonly ts: readonly number[];
  /** Returns true for cells to omit, by their centre. */
  readonly skip?: (s: number, t: number) => boolean;
  readonly light: (s: number, t: number) => number;
}

/**
 * A flat patch of cells with a brightness for each corner. Adjacent cells share corners, so that no cracks
 * appear. (s, t, normal) must be right-handed.
 */
export function gridPatch(b: MeshBuilder, patch: Patch): void {
  const { surface, normal, at, ss, ts } = patch;
  const index = new Map<number, number>();
  const vertex = (i: number, j: number): number => {
    const key = j * ss.length + i;
    const known = index.get(key);
    if (known !== undefined) return known;
    const s = ss[i] ?? 0;
    const t = ts[j] ?? 0;
    const p = at(s, t);
    const uv = planar(surface, p, normal);
    const made = b.vertex(surface, p, normal, uv[0], uv[1], patch.light(s, t));
    index.set(key, made);
    return made;
  };
  for (let j = 0; j < ts.length - 1; j++) {
    for (let i = 0; i < ss.length - 1; i++) {
      const s = ((ss[i] ?? 0) + (ss[i + 1] ?? 0)) / 2;
      const t = ((ts[j] ?? 0) + (ts[j + 1] ?? 0)) / 2;
      if (patch.skip?.(s, t)) continue;
      const a = vertex(i, j);
      const c = vertex(i + 1, j);
      const d = vertex(i + 1, j + 1);
      const e = vertex(i, j + 1);
      b.triangle(surface, a, c, d);
      b.triangle(surface, a, d, e);
    }
  }
}

/** Sorted values without near-duplicates and with no gap wider than `widest`. */
export function stops(values: readonly number[], widest: number): number[] {
  const sorted = values.slice().sort((a, b) => a - b);
  const out: number[] = [];
  for (const value of sorted) {
    const last = out.at(-1);
    if (last === undefined) {
      out.push(value);
      continue;
    }
    const gap = value - last;
    if (gap < 1e-4) continue;
    const pieces = Math.ceil(gap / widest - 1e-9);
    for (let k = 1; k < pieces; k++) out.push(last + (gap * k) / pieces);
    out.push(value);
  }
  return out;
}
