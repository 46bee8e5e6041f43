import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { footprintOf, overlapM, overTable } from "./overlap.js";
import type { ObjectShape } from "./world.js";
import { yawQuat } from "./yaw.js";

function thing(shape: ObjectShape, x: number, y: number, yaw = 0, z = 0.05) {
  const object = {
    shape,
    sizeM: [0.06, 0.06, 0.1],
    position: [x, y, z],
    rotation_wxyz: yawQuat(yaw),
    massKg: 1,
    friction: 1,
    color: [0, 0, 0],
  } as const;
  return footprintOf(object);
}

describe("the footprint of an object", () => {
  it("the footprint of an object is its outline from above and its height range", () => {
    const { outline, low, high } = thing("box", 1, 2);
    expect([low, high]).toEqual([0, 0.1]);
    expect(outline).toHaveLength(4);
    expect(Math.max(...outline.map(([x]) => x))).toBeCloseTo(1.03, 12);
  });

  it("the footprint of an object overlaps by the distance that separates the objects", () => {
    expect(overlapM(thing("box", 0, 0), thing("box", 0.05, 0))).toBeCloseTo(0.01, 12);
    expect(overlapM(thing("box", 0, 0), thing("box", 0.0601, 0))).toBe(0);
    expect(overlapM(thing("box", 0, 0), thing("box", 0, 0, 0, 0.15))).toBeCloseTo(0, 12);
    expect(overlapM(thing("box", 0, 0), thing("box", 0, 0, 0, 0.14))).toBeCloseTo(0.01, 12);
  });

  it("the footprint of an object is round for round objects, so that diagonal neighbours do not overlap", () => {
    const [a, b] = [thing("cylinder", 0, 0), thing("cylinder", 0.045, 0.045)];
    expect(overlapM(a, b)).toBe(0);
    expect(overlapM(thing("box", 0, 0), thing("box", 0.045, 0.045))).toBeGreaterThan(0.01);
  });

  it("the footprint of an object overlaps symmetrically, and not at all beyond both widths", () => {
    const shape = fc.constantFrom<ObjectShape>("box", "cylinder", "hexagon");
    const metre = fc.double({ min: -0.1, max: 0.1, noNaN: true });
    const angle = fc.double({ min: -4, max: 4, noNaN: true });
    fc.assert(
      fc.property(shape, shape, metre, metre, angle, angle, (one, two, x, y, a, b) => {
        const [first, second] = [thing(one, 0, 0, a), thing(two, x, y, b)];
        const depth = overlapM(first, second);
        expect(depth).toBeCloseTo(overlapM(second, first), 9);
        if (Math.hypot(x, y) > 0.086) expect(depth).toBe(0);
        if (Math.hypot(x, y) < 0.04) expect(depth).toBeGreaterThan(0);
      }),
    );
  });
});

describe("overTable", () => {
  const table = { position: [1, 0, 0.7], yawRad: Math.PI / 2, sizeM: [1, 0.4, 0.04] } as const;
  it("overTable takes the table yaw into account", () => {
    expect(overTable(table, [1.1, 0.45])).toBe(true);
    expect(overTable(table, [1.45, 0.1])).toBe(false);
    expect(overTable(table, [1.1, 0.45], 0.1)).toBe(false);
  });
});
