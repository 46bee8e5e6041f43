import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dtwPoints } from "./dtw.js";
import { discreteFrechet } from "./frechet.js";
import { distance3, type Vec3 } from "./vec3.js";

const coordinate = fc.integer({ min: -4, max: 4 });
const point: fc.Arbitrary<Vec3> = fc.tuple(coordinate, coordinate, coordinate);
const sequence = fc.array(point, { minLength: 1, maxLength: 12 });
const short = fc.array(point, { minLength: 1, maxLength: 5 });

function frechet(p: readonly Vec3[], r: readonly Vec3[]): number {
  return discreteFrechet(p.length, r.length, (i, j) => distance3(p[i] as Vec3, r[j] as Vec3));
}

/** Largest pair distance of the best alignment, by enumerating all of them. */
function bruteForce(p: readonly Vec3[], r: readonly Vec3[], i = 0, j = 0): number {
  const here = distance3(p[i] as Vec3, r[j] as Vec3);
  if (i === p.length - 1 && j === r.length - 1) return here;
  let best = Number.POSITIVE_INFINITY;
  if (i + 1 < p.length) best = Math.min(best, bruteForce(p, r, i + 1, j));
  if (j + 1 < r.length) best = Math.min(best, bruteForce(p, r, i, j + 1));
  if (i + 1 < p.length && j + 1 < r.length) best = Math.min(best, bruteForce(p, r, i + 1, j + 1));
  return Math.max(here, best);
}

/** The largest distance of any point from the other sequence, in either direction. */
function hausdorff(p: readonly Vec3[], r: readonly Vec3[]): number {
  const oneWay = (from: readonly Vec3[], to: readonly Vec3[]) =>
    Math.max(...from.map((a) => Math.min(...to.map((b) => distance3(a, b)))));
  return Math.max(oneWay(p, r), oneWay(r, p));
}

describe("the discrete Fréchet distance", () => {
  it("the discrete Fréchet distance is the largest pair distance of the best alignment", () => {
    fc.assert(
      fc.property(short, short, (p, r) => {
        expect(frechet(p, r)).toBe(bruteForce(p, r));
      }),
    );
  });

  it("the discrete Fréchet distance is symmetric", () => {
    fc.assert(
      fc.property(sequence, sequence, (p, r) => {
        expect(frechet(p, r)).toBe(frechet(r, p));
      }),
    );
  });

  it("the discrete Fréchet distance lies between the Hausdorff distance and DTW", () => {
    fc.assert(
      fc.property(sequence, sequence, (p, r) => {
        expect(frechet(p, r)).toBeGreaterThanOrEqual(hausdorff(p, r));
        expect(frechet(p, r)).toBeLessThanOrEqual(dtwPoints(p, r));
      }),
    );
  });

  it("the discrete Fréchet distance satisfies the triangle inequality, unlike DTW", () => {
    fc.assert(
      fc.property(sequence, sequence, sequence, (p, q, r) => {
        expect(frechet(p, r)).toBeLessThanOrEqual(frechet(p, q) + frechet(q, r) + 1e-9);
      }),
    );
  });

  it("the discrete Fréchet distance depends on the order of points, unlike the Hausdorff distance", () => {
    const there: Vec3[] = [
      [0, 0, 0],
      [1, 0, 0],
      [2, 0, 0],
    ];
    expect(frechet(there, there)).toBe(0);
    expect(frechet(there, there.toReversed())).toBe(2);
  });

  it("the discrete Fréchet distance is infinite for an empty sequence", () => {
    expect(frechet([], [[0, 0, 0]])).toBe(Number.POSITIVE_INFINITY);
    expect(frechet([[0, 0, 0]], [])).toBe(Number.POSITIVE_INFINITY);
  });
});
