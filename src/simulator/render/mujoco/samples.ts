import type { DepthTiles } from "./depth-tiles.js";

/** Positions of the samples in a pixel, from its upper left corner; Mesa's for 4 samples, its centre for 1. */
export const POSITIONS = {
  1: { x: [0.5], y: [0.5] },
  4: { x: [0.375, 0.875, 0.125, 0.625], y: [0.875, 0.625, 0.375, 0.125] },
} as const;

/** Four samples are this far from the pixel's upper and left border, and as far from its lower and right one. */
export const INNER = 0.125;
export const OUTER = 1 - INNER;

/** Corners are rounded to this part of a pixel, as in Mesa, so that triangles cover the same samples. */
export const SUBPIXELS = 256;

/** What a triangle is drawn into: `samples` numbers per pixel. */
export interface Samples {
  readonly width: number;
  readonly height: number;
  readonly samples: 1 | 4;
  readonly depth: Float32Array;
  readonly owner: Int32Array;
  readonly tiles: DepthTiles;
}

/**
 * The triangle that is drawn: a, b and c of its three edge functions, whose unit is a square subpixel, and of its depth.
 * Each is a x + b y + c of a point (x, y) relative to the first pixel of the rectangle that is filled, in subpixels, of
 * the depth in pixels.
 */
export type TriangleSetup = Float64Array;

/** Gets the id of a triangle and a sample that it covers. */
export type Visit = (id: number, sample: number) => void;

/** The lowest value of `a x + b y` over the square from `inner` to `outer`. */
export function lowest(a: number, b: number, inner: number, outer: number): number {
  return a * (a > 0 ? inner : outer) + b * (b > 0 ? inner : outer);
}
