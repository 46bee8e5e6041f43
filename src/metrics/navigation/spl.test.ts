import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  atPositions,
  measure,
  type Step,
  taskUnder,
  thenStop,
  walk,
} from "../../../test/support/nav-task.js";
import type { Vec3 } from "../../core/math/vec3.js";
import type { ScenePoint } from "../../core/scene/scene-point.js";
import { PathLength } from "./path-length.js";
import { SoftSpl } from "./soft-spl.js";
import { Spl } from "./spl.js";
import { NavigationSuccess } from "./success.js";

const at = (x: number, y = 0, z = 0): ScenePoint => ({ position: [x, y, z] });
const goal = [at(10)];
const r2r = { task: taskUnder("r2r") };
const spl = (steps: readonly Step[], setting = r2r) => measure(new Spl(), steps, setting);
const softSpl = (steps: readonly Step[]) => measure(new SoftSpl(), steps, r2r);

const coordinate = fc.integer({ min: -6, max: 6 });
const place: fc.Arbitrary<ScenePoint> = fc
  .tuple(coordinate, coordinate, coordinate)
  .map((position: Vec3) => ({ position }));
const someWalk = fc
  .tuple(fc.array(place, { minLength: 1, maxLength: 8 }), place)
  .map(([places, end]) => walk(places, [end]));

describe("path_length", () => {
  const length = (...positions: readonly Vec3[]) =>
    measure(new PathLength(), atPositions(...positions));

  it("path_length sums the distances between positions in three dimensions", () => {
    expect(length([0, 0, 0], [3, 4, 0], [3, 4, 12])).toBe(17);
  });

  it("path_length counts movement back and forth", () => {
    expect(length([0, 0, 0], [2, 0, 0], [0, 0, 0])).toBe(4);
  });

  it("path_length is 0 for one record and for a robot that never moves", () => {
    expect(length([1, 2, 3])).toBe(0);
    expect(length([1, 2, 3], [1, 2, 3], [1, 2, 3])).toBe(0);
  });
});

describe("spl", () => {
  it("spl is 1 for the shortest path", () => {
    expect(spl(walk([at(0), at(5), at(10)], goal))).toBe(1);
  });

  it("spl is lower for a longer path", () => {
    expect(spl(walk([at(0), at(-5), at(10)], goal))).toBe(0.5);
  });

  it("spl is not above 1 for a path shorter than the initial distance to the goal", () => {
    expect(spl(walk([at(0), at(8)], goal))).toBe(1);
  });

  it("spl is 0 without success, and without a stop if the profile requires one", () => {
    const steps = walk([at(0), at(5)], goal);
    expect(spl(steps)).toBe(0);
    const there = walk([at(0), at(10)], goal);
    expect(spl(there, { task: taskUnder("vlnce") })).toBe(0);
    expect(spl(thenStop(there), { task: taskUnder("vlnce") })).toBe(1);
  });

  it("spl takes the shortest distance from the first record and not from the geometry", () => {
    const steps: Step[] = [
      { state: { position: [0, 0, 0], distance_to_goal: 6 } },
      { state: { position: [12, 0, 0], distance_to_goal: 0 } },
    ];
    expect(spl(steps)).toBe(0.5);
  });

  it("spl is 1 for staying and 0 for any movement when the start is on the goal", () => {
    expect(spl(walk([at(10)], goal))).toBe(1);
    expect(spl(walk([at(10), at(10)], goal))).toBe(1);
    expect(spl(walk([at(10), at(9), at(10)], goal))).toBe(0);
    expect(spl(walk([at(10)], goal), { task: taskUnder("vlnce") })).toBe(0);
  });

  it("spl is null when the goal cannot be reached from the start", () => {
    expect(spl([{ state: { position: [0, 0, 0], distance_to_goal: Infinity } }])).toBeNull();
  });

  it("spl lies in [0, 1] and never exceeds success", () => {
    fc.assert(
      fc.property(someWalk, (steps) => {
        const value = spl(steps) ?? Number.NaN;
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(measure(new NavigationSuccess(), steps, r2r) ?? 0);
      }),
    );
  });
});

describe("soft_spl", () => {
  it("soft_spl counts progress instead of success", () => {
    expect(softSpl(walk([at(0), at(5)], goal))).toBe(0.5);
  });

  it("soft_spl is lower for a detour", () => {
    expect(softSpl(walk([at(0), at(-10), at(5)], goal))).toBeCloseTo(0.5 * (10 / 25), 12);
  });

  it("soft_spl is 0 when the robot ends farther away or never moves", () => {
    expect(softSpl(walk([at(0), at(-1)], goal))).toBe(0);
    expect(softSpl(walk([at(0)], goal))).toBe(0);
    expect(
      softSpl([
        ...walk([at(0)], goal),
        { state: { position: [1, 0, 0], distance_to_goal: Infinity } },
      ]),
    ).toBe(0);
  });

  it("soft_spl is 1 for staying and 0 for any movement when the start is on the goal", () => {
    expect(softSpl(walk([at(10)], goal))).toBe(1);
    expect(softSpl(walk([at(10), at(9), at(10)], goal))).toBe(0);
    expect(softSpl(walk([at(10), at(9)], goal))).toBe(0);
  });

  it("soft_spl is null when the goal cannot be reached from the start", () => {
    expect(softSpl([{ state: { position: [0, 0, 0], distance_to_goal: Infinity } }])).toBeNull();
  });

  it("soft_spl lies in [0, 1]", () => {
    fc.assert(
      fc.property(someWalk, (steps) => {
        const value = softSpl(steps) ?? Number.NaN;
        expect(value).toBeGreaterThanOrEqual(0);
        expect(value).toBeLessThanOrEqual(1);
      }),
    );
  });
});
