import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rotate } from "../../../core/math/quat-wxyz.js";
import type { QuatWxyz } from "../../../core/math/rotation.js";
import type { Vec3 } from "../../../core/math/vec3.js";
import { hfovOf, transformOf, viewpointOf, withOffset } from "./axes.js";

const number = fc.double({ min: -1, max: 1, noNaN: true });
const vec3 = fc.tuple(number, number, number);
const quat = fc
  .tuple(number, number, number, number)
  .filter((q) => Math.hypot(...q) > 0.1)
  .map((q) => q.map((x) => x / Math.hypot(...q)) as unknown as QuatWxyz);

/** Applies a part's transform as the renderer does. */
function apply(m: readonly number[], [x, y, z]: Vec3): number[] {
  return [0, 1, 2].map(
    (row) => (m[row] ?? 0) * x + (m[row + 4] ?? 0) * y + (m[row + 8] ?? 0) * z + (m[row + 12] ?? 0),
  );
}

describe("the conversion from MuJoCo's to the renderer's axes", () => {
  it("the conversion from the axes of MuJoCo to those of the renderer transforms the points of a geom, with z up to y up", () => {
    fc.assert(
      fc.property(vec3, quat, vec3, (position, rotation_wxyz, point) => {
        const turned = rotate(rotation_wxyz, point);
        const [x, y, z] = [0, 1, 2].map((k) => (turned[k] ?? 0) + (position[k] ?? 0));
        const out = apply(transformOf({ position, rotation_wxyz }), point);
        [x, z, -(y ?? 0)].forEach((value, k) => {
          expect(out[k]).toBeCloseTo(value ?? Number.NaN, 9);
        });
      }),
    );
  });

  it("the conversion from the axes of MuJoCo to those of the renderer is the same for cameras as for geoms", () => {
    fc.assert(
      fc.property(vec3, quat, vec3, (position, rotation_wxyz, point) => {
        const view = viewpointOf({ position, rotation_wxyz });
        const [x, y, z, w] = view.rotation;
        const turned = rotate([w, x, y, z], point);
        const out = apply(transformOf({ position, rotation_wxyz }), point);
        out.forEach((value, k) => {
          expect((turned[k] ?? 0) + (view.position[k] ?? 0)).toBeCloseTo(value, 9);
        });
      }),
    );
  });
});

describe("withOffset", () => {
  const ahead = { position: [1, 2, 3] as Vec3, rotation_wxyz: [1, 0, 0, 0] as QuatWxyz };

  it("withOffset moves a camera along its own axes", () => {
    const moved = withOffset(ahead, { offsetM: [0.1, 0.2, 0.3], panDeg: 0, tiltDeg: 0 });
    moved.position.forEach((x, k) => {
      expect(x).toBeCloseTo([1.1, 2.2, 3.3][k] ?? 0, 12);
    });
    const turned = { ...ahead, rotation_wxyz: [Math.SQRT1_2, 0, 0, Math.SQRT1_2] as QuatWxyz };
    const aside = withOffset(turned, { offsetM: [1, 0, 0], panDeg: 0, tiltDeg: 0 });
    expect(aside.position[1]).toBeCloseTo(3, 12);
  });

  it("withOffset pans a camera to its left and tilts it up", () => {
    const looks = (panDeg: number, tiltDeg: number) =>
      rotate(withOffset(ahead, { offsetM: [0, 0, 0], panDeg, tiltDeg }).rotation_wxyz, [0, 0, -1]);
    expect(looks(90, 0)[0]).toBeCloseTo(-1, 12);
    expect(looks(0, 90)[1]).toBeCloseTo(1, 12);
    expect(looks(90, 45)[1]).toBeCloseTo(Math.SQRT1_2, 12);
  });
});

describe("the horizontal field of view", () => {
  it("the horizontal field of view equals the vertical one in a square image, and is wider in a wide one", () => {
    expect(hfovOf(58, 100, 100)).toBeCloseTo(58, 9);
    expect(hfovOf(90, 200, 100)).toBeCloseTo((Math.atan(2) * 360) / Math.PI, 9);
  });
});
