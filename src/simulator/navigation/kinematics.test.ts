import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { distance3, type Vec3 } from "../../core/math/vec3.js";
import { ahead, blocked, drive } from "./kinematics.js";

const free = (_from: Vec3, to: Vec3) => to;
const origin = { position: [0, 0, 0] as Vec3, headingRad: 0 };

describe("ahead()", () => {
  it("ahead() moves along -z at heading 0, and along -x after a quarter turn to the left", () => {
    expect(ahead([1, 2, 3], 0, 0.25)).toEqual([1, 2, 2.75]);
    const [x, y, z] = ahead([0, 0, 0], Math.PI / 2, 1);
    expect([x, y]).toEqual([-1, 0]);
    expect(z).toBeCloseTo(0, 15);
  });
});

describe("blocked()", () => {
  it("blocked() is true for a step shorter than requested, sliding included", () => {
    expect(blocked([0, 0, 0], [0, 0, -0.25], [0, 0, -0.25])).toBe(false);
    expect(blocked([0, 0, 0], [0, 0, -0.25], [0, 0, -0.2499999])).toBe(false);
    expect(blocked([0, 0, 0], [0, 0, -0.25], [0, 0, -0.1])).toBe(true);
    expect(blocked([0, 0, 0], [0, 0, -0.25], [0.1, 0, -0.1])).toBe(true);
  });
});

describe("drive()", () => {
  it("drive() moves straight at angular speed 0", () => {
    const { position, blocked } = drive(origin, 0.5, 0, 2, free);
    expect(position[2]).toBeCloseTo(-1, 12);
    expect(blocked).toBe(false);
  });

  it("drive() turns in place at linear speed 0", () => {
    expect(drive(origin, 0, 1, 0.5, free)).toEqual({
      position: [0, 0, 0],
      headingRad: 0.5,
      blocked: false,
    });
  });

  it("drive() returns to its start after a full circle", () => {
    const { position, headingRad } = drive(origin, 1, 1, 2 * Math.PI, free);
    expect(distance3(position, [0, 0, 0])).toBeLessThan(1e-9);
    expect(headingRad).toBeCloseTo(2 * Math.PI, 12);
  });

  it("drive() stays near the arc for any piece length and never exceeds its speed", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1, max: 1, noNaN: true }),
        fc.double({ min: 0.1, max: 2, noNaN: true }),
        fc.double({ min: 0.1, max: 2, noNaN: true }),
        (linear, angular, seconds) => {
          const { position } = drive(origin, linear, angular, seconds, free);
          const radius = linear / angular;
          const turned = angular * seconds;
          const arc: Vec3 = [-radius * (1 - Math.cos(turned)), 0, -radius * Math.sin(turned)];
          expect(distance3(position, arc)).toBeLessThan(0.01);
          expect(distance3(position, [0, 0, 0])).toBeLessThanOrEqual(
            Math.abs(linear) * seconds + 1e-12,
          );
        },
      ),
    );
  });

  it("drive() reports blocked if any piece is blocked", () => {
    const wall = (_from: Vec3, [x, y, z]: Vec3): Vec3 => [x, y, Math.max(z, -0.3)];
    const { position, blocked } = drive(origin, 1, 0, 1, wall);
    expect(position[2]).toBeCloseTo(-0.3, 12);
    expect(blocked).toBe(true);
  });
});
