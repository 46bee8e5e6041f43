import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bearing, headingToQuatXyzw, quatXyzwToHeading, wrapAngle } from "./rotation.js";
import { distance3, fromMatterport, samePoint, type Vec3 } from "./vec3.js";

const origin: Vec3 = [0, 0, 0];
const angle = fc.double({ min: -Math.PI, max: Math.PI, noNaN: true });

describe("headings", () => {
  it("headings are 0 along -z and grow to the left, seen from above", () => {
    expect(bearing(origin, [0, 0, -1])).toBeCloseTo(0, 12);
    expect(bearing(origin, [-1, 0, 0])).toBeCloseTo(Math.PI / 2, 12);
    expect(bearing(origin, [1, 0, 0])).toBeCloseTo(-Math.PI / 2, 12);
    expect(Math.abs(bearing(origin, [0, 0, 1]))).toBeCloseTo(Math.PI, 12);
  });

  it("headings ignore height", () => {
    expect(bearing(origin, [1, 5, -1])).toBe(bearing(origin, [1, 0, -1]));
  });

  it("headings are recovered from their quaternion", () => {
    fc.assert(
      fc.property(angle, (heading) => {
        const back = quatXyzwToHeading(headingToQuatXyzw(heading));
        expect(wrapAngle(back - heading)).toBeCloseTo(0, 9);
      }),
    );
  });

  it("headings are the yaw of a quaternion of either sign", () => {
    // A quarter turn to the left about +y.
    const s = Math.SQRT1_2;
    expect(quatXyzwToHeading([0, s, 0, s])).toBeCloseTo(Math.PI / 2, 12);
    expect(quatXyzwToHeading([0, -s, 0, -s])).toBeCloseTo(Math.PI / 2, 12);
    expect(quatXyzwToHeading([0, 0, 0, 1])).toBe(0);
  });

  it("headings agree with the direction of the rotated forward axis -z", () => {
    fc.assert(
      fc.property(angle, (heading) => {
        const [, y, , w] = headingToQuatXyzw(heading);
        // Rotating [0, 0, -1] about +y by the quaternion's angle.
        const full = 2 * Math.atan2(y, w);
        const ahead: Vec3 = [-Math.sin(full), 0, -Math.cos(full)];
        expect(wrapAngle(bearing(origin, ahead) - heading)).toBeCloseTo(0, 9);
      }),
    );
  });

  it("headings ignore the tilt of a camera", () => {
    // Yaw 0.5 about y, then pitch 0.3 about the camera's own x.
    const [sy, cy, sx, cx] = [Math.sin(0.25), Math.cos(0.25), Math.sin(0.15), Math.cos(0.15)];
    expect(quatXyzwToHeading([cy * sx, sy * cx, -sy * sx, cy * cx])).toBeCloseTo(0.5, 12);
  });
});

describe("wrapAngle", () => {
  it("wrapAngle gives the same angle in (-pi, pi]", () => {
    fc.assert(
      fc.property(fc.double({ min: -1e4, max: 1e4, noNaN: true }), (rad) => {
        const wrapped = wrapAngle(rad);
        expect(wrapped).toBeGreaterThan(-Math.PI);
        expect(wrapped).toBeLessThanOrEqual(Math.PI);
        expect(Math.cos(wrapped)).toBeCloseTo(Math.cos(rad), 9);
        expect(Math.sin(wrapped)).toBeCloseTo(Math.sin(rad), 9);
      }),
    );
  });

  it("wrapAngle maps half a turn in either direction to +pi, and keeps angles in range", () => {
    expect(wrapAngle(Math.PI)).toBe(Math.PI);
    expect(wrapAngle(-Math.PI)).toBe(Math.PI);
    expect(wrapAngle(3 * Math.PI)).toBeCloseTo(Math.PI, 12);
    fc.assert(
      fc.property(angle, (rad) => {
        if (rad > -Math.PI) expect(wrapAngle(rad)).toBeCloseTo(rad, 15);
      }),
    );
  });

  it("wrapAngle never returns a negative zero, which would print and hash differently", () => {
    for (const rad of [0, -0, 2 * Math.PI, -2 * Math.PI]) {
      expect(Object.is(wrapAngle(rad), -0)).toBe(false);
    }
  });

  it("wrapAngle returns to 0 after a full circle of turns", () => {
    let heading = 0;
    for (let i = 0; i < 24; i++) heading = wrapAngle(heading + Math.PI / 12);
    expect(heading).toBeCloseTo(0, 12);
  });
});

describe("points", () => {
  it("points are converted from the z-up axes of Matterport to the y-up axes of Habitat", () => {
    expect(fromMatterport(1, 2, 3)).toEqual([1, 3, -2]);
    expect(Object.is(fromMatterport(1, 0, 3)[2], -0)).toBe(false);
  });

  it("points keep their distances when converted", () => {
    const c = fc.integer({ min: -100, max: 100 });
    fc.assert(
      fc.property(fc.tuple(c, c, c), fc.tuple(c, c, c), (a, b) => {
        const there = distance3(fromMatterport(...a), fromMatterport(...b));
        expect(there).toBeCloseTo(Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]), 9);
      }),
    );
  });

  it("points are the same only if every coordinate is equal", () => {
    expect(samePoint([1, 2, 3], [1, 2, 3])).toBe(true);
    expect(samePoint([1, 2, 3], [1, 2, 3.0000001])).toBe(false);
  });
});
