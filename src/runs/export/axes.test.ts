import { assert, double, property, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { rotate } from "../../core/math/quat-wxyz.js";
import { headingToQuatXyzw } from "../../core/math/rotation.js";
import { pointZUp, poseZUp } from "./axes.js";

const metres = double({ min: -50, max: 50, noNaN: true });
const angle = double({ min: -Math.PI, max: Math.PI, noNaN: true });

describe("conversion of navigation poses to z up", () => {
  it("conversion of navigation poses to z up maps y to z and keeps 0 as 0", () => {
    expect(pointZUp([1, 2, 3])).toEqual([1, -3, 2]);
    expect(pointZUp([0, 0, 0])).toEqual([0, 0, 0]);
  });

  it("heading 0 points along +y, and a left turn of 90° along -x", () => {
    const ahead = (heading: number) =>
      rotate(poseZUp([0, 0, 0], headingToQuatXyzw(heading)).rotation, [1, 0, 0]);
    for (const [heading, x, y] of [
      [0, 0, 1],
      [Math.PI / 2, -1, 0],
    ] as const) {
      expect(ahead(heading)[0]).toBeCloseTo(x, 12);
      expect(ahead(heading)[1]).toBeCloseTo(y, 12);
    }
  });

  it("conversion of navigation poses to z up keeps a body upright and its viewing direction unchanged at any pose", () => {
    assert(
      property(tuple(metres, metres, metres), angle, (position, heading) => {
        const { position: placed, rotation } = poseZUp(position, headingToQuatXyzw(heading));
        expect(placed).toEqual(pointZUp(position));
        const ahead = pointZUp([-Math.sin(heading), 0, -Math.cos(heading)]);
        for (const [axis, direction] of [
          [[1, 0, 0], ahead],
          [
            [0, 0, 1],
            [0, 0, 1],
          ],
        ] as const) {
          for (const [i, x] of rotate(rotation, axis).entries())
            expect(x).toBeCloseTo(direction[i] ?? Number.NaN, 12);
        }
      }),
    );
  });
});
