import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dtw, dtwPoints } from "./dtw.js";
import { distance3, type Vec3 } from "./vec3.js";

const coordinate = fc.integer({ min: -4, max: 4 });
const point: fc.Arbitrary<Vec3> = fc.tuple(coordinate, coordinate, coordinate);
const sequence = fc.array(point, { minLength: 1, maxLength: 12 });
const short = fc.array(point, { minLength: 1, maxLength: 5 });

function between(p: readonly Vec3[], r: readonly Vec3[]): (i: number, j: number) => number {
  return (i, j) => distance3(p[i] as Vec3, r[j] as Vec3);
}

/** Cost of the cheapest alignment, by enumerating all of them. */
function bruteForce(p: readonly Vec3[], r: readonly Vec3[], i = 0, j = 0): number {
  const here = between(p, r)(i, j);
  if (i === p.length - 1 && j === r.length - 1) return here;
  let best = Number.POSITIVE_INFINITY;
  if (i + 1 < p.length) best = Math.min(best, bruteForce(p, r, i + 1, j));
  if (j + 1 < r.length) best = Math.min(best, bruteForce(p, r, i, j + 1));
  if (i + 1 < p.length && j + 1 < r.length) best = Math.min(best, bruteForce(p, r, i + 1, j + 1));
  return here + best;
}

function withoutRepeats(points: readonly Vec3[]): Vec3[] {
  return points.filter((q, i) => i === 0 || distance3(q, points[i - 1] as Vec3) > 0);
}

describe("dynamic time warping", () => {
  it("dynamic time warping is the cost of the cheapest alignment", () => {
    fc.assert(
      fc.property(short, short, (p, r) => {
        expect(dtwPoints(p, r)).toBeCloseTo(bruteForce(p, r), 9);
      }),
    );
  });

  it("dynamic time warping gives the same result with a distance callback and with points", () => {
    fc.assert(
      fc.property(sequence, sequence, (p, r) => {
        expect(dtw(p.length, r.length, between(p, r))).toBe(dtwPoints(p, r));
      }),
    );
  });

  it("dynamic time warping is symmetric", () => {
    fc.assert(
      fc.property(sequence, sequence, (p, r) => {
        expect(dtwPoints(p, r)).toBeCloseTo(dtwPoints(r, p), 9);
      }),
    );
  });

  it("dynamic time warping is zero exactly for sequences that agree up to repeated points", () => {
    fc.assert(
      fc.property(sequence, sequence, (p, r) => {
        const same = JSON.stringify(withoutRepeats(p)) === JSON.stringify(withoutRepeats(r));
        expect(dtwPoints(p, r) === 0).toBe(same);
      }),
    );
    const [a, b]: Vec3[] = [
      [0, 0, 0],
      [1, 0, 0],
    ];
    expect(dtwPoints([a, a, b] as Vec3[], [a, b, b, b] as Vec3[])).toBe(0);
  });

  it("dynamic time warping is at least the distance between the first points and between the last points", () => {
    fc.assert(
      fc.property(sequence, sequence, (p, r) => {
        const d = between(p, r);
        const ends = Math.max(d(0, 0), d(p.length - 1, r.length - 1));
        expect(dtwPoints(p, r)).toBeGreaterThanOrEqual(ends);
      }),
    );
  });

  it("dynamic time warping works in any number of dimensions", () => {
    expect(dtwPoints([[0], [4]], [[1]])).toBe(4);
    expect(dtwPoints([[3, 4]], [[0, 0]])).toBe(5);
  });

  it("dynamic time warping is infinite for an empty sequence", () => {
    expect(dtwPoints([], [[0, 0, 0]])).toBe(Number.POSITIVE_INFINITY);
    expect(dtw(3, 0, () => 0)).toBe(Number.POSITIVE_INFINITY);
  });
});
