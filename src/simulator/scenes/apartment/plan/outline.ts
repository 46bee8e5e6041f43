import { isInside } from "../../geometry.js";
import type { Rect } from "./types.js";

export type Point = readonly [x: number, z: number];

/** A straight side of a room; `normal` points into the room. Metres. */
export interface Side {
  readonly a: Point;
  readonly b: Point;
  readonly along: Point;
  readonly normal: Point;
  readonly length: number;
}

/**
 * The boundary of a union of rectangles: closed loops of corners with the inside to the left (in the plane of
 * x and z, with z upwards). Holes run in the opposite direction.
 */
export function outlines(rects: readonly Rect[]): Point[][] {
  const xs = [...new Set(rects.flatMap((r) => [r.x0, r.x1]))].sort((a, b) => a - b);
  const zs = [...new Set(rects.flatMap((r) => [r.z0, r.z1]))].sort((a, b) => a - b);
  const filled = (i: number, j: number): boolean => {
    const [x0, x1, z0, z1] = [xs[i], xs[i + 1], zs[j], zs[j + 1]];
    if (x0 === undefined || x1 === undefined || z0 === undefined || z1 === undefined) return false;
    return rects.some((r) => r.x0 <= x0 && r.x1 >= x1 && r.z0 <= z0 && r.z1 >= z1);
  };
  const next = new Map<string, Point[]>();
  const add = (i0: number, j0: number, i1: number, j1: number) => {
    const key = `${i0},${j0}`;
    const known = next.get(key);
    if (known) known.push([i1, j1]);
    else next.set(key, [[i1, j1]]);
  };
  for (let i = 0; i < xs.length - 1; i++) {
    for (let j = 0; j < zs.length - 1; j++) {
      if (!filled(i, j)) continue;
      if (!filled(i, j - 1)) add(i, j, i + 1, j);
      if (!filled(i + 1, j)) add(i + 1, j, i + 1, j + 1);
      if (!filled(i, j + 1)) add(i + 1, j + 1, i, j + 1);
      if (!filled(i - 1, j)) add(i, j + 1, i, j);
    }
  }
  const loops: Point[][] = [];
  for (const [start, ends] of next) {
    while (ends.length > 0) {
      const loop: Point[] = [];
      let key = start;
      let from: Point | undefined;
      for (;;) {
        const to = takeLeftmost(next.get(key) ?? [], key, from);
        if (!to) break;
        const [i, j] = key.split(",").map(Number);
        from = [i ?? 0, j ?? 0];
        loop.push([xs[from[0]] ?? 0, zs[from[1]] ?? 0]);
        key = `${to[0]},${to[1]}`;
        if (key === start) break;
      }
      loops.push(corners(loop));
    }
  }
  return loops;
}

/** Where two parts touch only in a corner, turning left stays on the same part. */
function takeLeftmost(ends: Point[], key: string, from: Point | undefined): Point | undefined {
  if (ends.length <= 1 || !from) return ends.shift();
  const [i = 0, j = 0] = key.split(",").map(Number);
  const [dx, dz] = [i - from[0], j - from[1]];
  const left = ends.findIndex(([x, z]) => dx * (z - j) - dz * (x - i) > 0);
  return ends.splice(Math.max(left, 0), 1)[0];
}

function corners(loop: readonly Point[]): Point[] {
  return loop.filter((p, i) => {
    const before = loop[(i + loop.length - 1) % loop.length] ?? p;
    const after = loop[(i + 1) % loop.length] ?? p;
    return (p[0] - before[0]) * (after[1] - p[1]) !== (p[1] - before[1]) * (after[0] - p[0]);
  });
}

/** Moves every side of a loop inwards (outwards if negative) and converts decimetres to metres. */
export function inset(loop: readonly Point[], byM: number): Point[] {
  return loop.map((p, i) => {
    const before = loop[(i + loop.length - 1) % loop.length] ?? p;
    const after = loop[(i + 1) % loop.length] ?? p;
    const n1 = leftOf(before, p);
    const n2 = leftOf(p, after);
    return [p[0] / 10 + byM * (n1[0] + n2[0]), p[1] / 10 + byM * (n1[1] + n2[1])];
  });
}

function leftOf(a: Point, b: Point): Point {
  return [Math.sign(a[1] - b[1]), Math.sign(b[0] - a[0])];
}

export function sides(loop: readonly Point[]): Side[] {
  return loop.map((a, i) => {
    const b = loop[(i + 1) % loop.length] ?? a;
    const length = Math.abs(b[0] - a[0]) + Math.abs(b[1] - a[1]);
    const along: Point = [Math.sign(b[0] - a[0]), Math.sign(b[1] - a[1])];
    return { a, b, along, normal: [0 - along[1], along[0]], length };
  });
}

/** Covers a loop without holes with disjoint rectangles: the cells between all its coordinates. */
export function cover(loop: readonly Point[]): Rect[] {
  const xs = [...new Set(loop.map((p) => p[0]))].sort((a, b) => a - b);
  const zs = [...new Set(loop.map((p) => p[1]))].sort((a, b) => a - b);
  const out: Rect[] = [];
  for (const [i, x0] of xs.slice(0, -1).entries()) {
    for (const [j, z0] of zs.slice(0, -1).entries()) {
      const rect = { x0, z0, x1: xs[i + 1] ?? x0, z1: zs[j + 1] ?? z0 };
      if (isInside(loop, (rect.x0 + rect.x1) / 2, (rect.z0 + rect.z1) / 2)) out.push(rect);
    }
  }
  return out;
}
