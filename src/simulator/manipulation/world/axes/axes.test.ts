import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { footprintOf, overlapM, overTable } from "../overlap.js";
import { stretchWorld } from "../world-lab.fixture.js";
import { WORLD_AXES } from "./names.js";

const objects = [
  { name: "cup_red", position: [0, -0.8] },
  { name: "can", position: [0.3, -0.7] },
  { name: "box_blue", position: [-0.3, -0.75] },
];

const NEUTRAL: Readonly<Record<string, number>> = { object_size: 1, object_mass: 1 };

function world(axes: Readonly<Record<string, unknown>>, level = 0) {
  const { robot, ...rest } = stretchWorld({
    scene_objects: objects,
    randomization: { level, seed: 3, axes },
  });
  return rest;
}

const seeds = fc.nat();

describe.each(WORLD_AXES)("the axis %s of a world", (axis) => {
  it("an axis of a world changes nothing at its neutral value", () => {
    const value = NEUTRAL[axis] ?? 0;
    fc.assert(
      fc.property(seeds, (seed) => {
        // -0 and 0 are the same place.
        const plain = (of: unknown) => JSON.parse(JSON.stringify(of).replaceAll("-0,", "0,"));
        expect(plain(world({ [axis]: { value, seed } }))).toEqual(plain(world({})));
      }),
      { numRuns: 10 },
    );
  });

  it("an axis of a world is the same for the same seed, and changes the world", () => {
    const value = axis === "distractors" ? 3 : axis in NEUTRAL ? 1.3 : 0.05;
    const once = world({ [axis]: { value, seed: 9 } });
    expect(world({ [axis]: { value, seed: 9 } })).toEqual(once);
    expect(once).not.toEqual(world({}));
  });

  it("an axis of a world leaves the draws of other axes and of the levels unchanged", () => {
    const value = NEUTRAL[axis] ?? 0;
    const other = axis === "lighting" ? "camera_pose" : "lighting";
    const both = world({ [other]: { value: 0.1, seed: 4 }, [axis]: { value, seed: 4 } });
    expect(both.look).toEqual(world({ [other]: { value: 0.1, seed: 4 } }).look);
  });
});

describe("axes of objects", () => {
  const isSound = ({ objects: things, table }: ReturnType<typeof world>) => {
    for (const [i, thing] of things.entries()) {
      const space = footprintOf(thing);
      expect(space.outline.every((point) => table && overTable(table, point))).toBe(true);
      expect(space.low).toBeCloseTo(table?.position[2] ?? 0);
      for (const other of things.slice(0, i)) expect(overlapM(space, footprintOf(other))).toBe(0);
    }
  };

  it("axes of objects move each object by the given distance, without overlaps, on the table", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const moved = world({ object_pose: { value: 0.1, seed } });
        isSound(moved);
        for (const [i, { position }] of moved.objects.entries()) {
          const before = world({}).objects[i]?.position ?? [0, 0, 0];
          const far = Math.hypot(position[0] - before[0], position[1] - before[1]);
          expect(far === 0 || Math.abs(far - 0.1) < 1e-9).toBe(true);
        }
      }),
      { numRuns: 20 },
    );
  });

  it("axes of objects resize objects within the factor, standing on the table", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const resized = world({ object_size: { value: 1.5, seed } });
        isSound(resized);
        for (const [i, { sizeM }] of resized.objects.entries()) {
          const before = world({}).objects[i]?.sizeM ?? [1, 1, 1];
          const scale = sizeM[0] / before[0];
          expect(scale).toBeGreaterThan(1 / 1.5 - 1e-9);
          expect(scale).toBeLessThan(1.5 + 1e-9);
        }
      }),
      { numRuns: 20 },
    );
  });

  it("axes of objects add distractors of other colours, apart from all objects", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        const more = world({ distractors: { value: 3, seed } });
        isSound(more);
        const [own, added] = [more.objects.slice(0, 3), more.objects.slice(3)];
        expect(own).toEqual(world({}).objects);
        expect(added.length).toBeGreaterThan(0);
        for (const { color } of added) {
          expect(own.map((object) => object.color)).not.toContainEqual(color);
        }
      }),
      { numRuns: 20 },
    );
  });
});

describe("an axis without effect", () => {
  it.each([
    ["distractors without a table", { table: null }, "distractors", "no table"],
    ["an unknown axis", {}, "object_poze", 'did you mean "object_pose"'],
  ])("an axis without effect is rejected: %s", (_, config, axis, text) => {
    const place = "table" in config ? [0, -0.8, 0.5] : [0, -0.8];
    expect(() =>
      stretchWorld({
        ...config,
        scene_objects: [{ name: "cup_red", position: place }],
        randomization: { axes: { [axis]: { value: 1 } } },
      }),
    ).toThrow(text);
  });
});
