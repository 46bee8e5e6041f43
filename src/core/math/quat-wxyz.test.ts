import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aboutAxis, conjugate, multiply, rotate } from "./quat-wxyz.js";
import { distance3, type Vec3 } from "./vec3.js";

const angle = fc.double({ min: -10, max: 10, noNaN: true });
const coordinate = fc.double({ min: -5, max: 5, noNaN: true });
const vector = fc.tuple(coordinate, coordinate, coordinate);

describe("rotation by a quaternion", () => {
  it("a quarter turn about z maps x to y", () => {
    const [x, y, z] = rotate(aboutAxis([0, 0, 1], Math.PI / 2), [1, 0, 0]);
    expect(x).toBeCloseTo(0, 15);
    expect(y).toBeCloseTo(1, 15);
    expect(z).toBe(0);
  });

  it("rotation by a quaternion keeps lengths, and is inverted by the conjugate", () => {
    fc.assert(
      fc.property(vector, angle, angle, (v: Vec3, a, b) => {
        const q = multiply(aboutAxis([1, 0, 0], a), aboutAxis([0, 0, 1], b));
        const turned = rotate(q, v);
        expect(distance3(turned, [0, 0, 0])).toBeCloseTo(distance3(v, [0, 0, 0]), 9);
        expect(distance3(rotate(conjugate(q), turned), v)).toBeLessThan(1e-9);
      }),
    );
  });

  it("rotation by a product of quaternions applies the second factor first", () => {
    fc.assert(
      fc.property(vector, angle, angle, (v: Vec3, a, b) => {
        const [first, second] = [aboutAxis([0, 1, 0], a), aboutAxis([0, 0, 1], b)];
        const both = rotate(multiply(second, first), v);
        expect(distance3(both, rotate(second, rotate(first, v)))).toBeLessThan(1e-9);
      }),
    );
  });
});
