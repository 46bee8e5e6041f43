import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  BACKGROUND,
  box,
  boxes,
  camera,
  floor,
  part,
  pixels,
  rendererOf,
  WHITE,
  wall,
} from "../../../test/support/render-scene.js";
import { Random } from "../../core/math/random.js";
import { headingToQuatXyzw, type QuatXyzw } from "../../core/math/rotation.js";
import type { Vec3 } from "../../core/math/vec3.js";
import type { Material } from "../scenes/model.js";
import { Renderer } from "./renderer.js";

const unitQuat = fc
  .tuple(...Array.from({ length: 4 }, () => fc.double({ min: -1, max: 1, noNaN: true })))
  .filter((q) => Math.hypot(...q) > 0.1)
  .map((q) => {
    const length = Math.hypot(...q);
    return q.map((v) => v / length) as unknown as QuatXyzw;
  });

describe("depth", () => {
  it("depth is the distance along the axis, not along the ray", () => {
    const { depth } = rendererOf(part(wall(3))).render(camera(), { depth: true });
    expect(depth?.every((d) => Math.abs(d - 3) < 1e-5)).toBe(true);
  });

  it("depth is 0 for background and beyond the far plane", () => {
    const renderer = rendererOf(part(wall(3, 1)));
    const { depth, ids } = renderer.render(camera(), { depth: true, ids: true });
    expect([depth?.[0], ids?.[0]]).toEqual([0, 0]);
    const cut = renderer.render(camera({ farM: 2.9 }), { depth: true, rgb: true });
    expect(cut.depth?.every((d) => d === 0)).toBe(true);
    expect([...(cut.rgb ?? [])].slice(0, 3)).toEqual(BACKGROUND);
  });

  it("depth matches ray casting on a floor that extends under and behind the camera", () => {
    const pitches = [-1.2, -0.6, -0.2, 0, 0.3].map(
      (a): QuatXyzw => [Math.sin(a / 2), 0, 0, Math.cos(a / 2)],
    );
    for (const height of [0.005, 0.1, 1.5]) {
      const renderer = rendererOf(part(floor(0, 1000)));
      for (const rotation of pitches) {
        const c = camera({ position: [3, height, -2], rotation });
        const { depth } = renderer.render(c, { depth: true });
        pixels(c, (at, ray) => {
          const expected = -height / ray[1];
          if (expected < 0 || expected > 900) return;
          if (expected < 0.0101) {
            if (expected < 0.0099) expect(depth?.[at]).toBe(0);
          } else expect(Math.abs((depth?.[at] as number) / expected - 1)).toBeLessThan(1e-4);
        });
      }
    }
  });

  it("depth matches ray casting on a plane at any angle", () => {
    fc.assert(
      fc.property(unitQuat, fc.double({ min: 0.05, max: 20, noNaN: true }), (rotation, away) => {
        const c = camera({ width: 32, height: 24, rotation, position: [0, 0, away] });
        const material = { ...WHITE, doubleSided: true };
        const { depth } = rendererOf(part(wall(0, 1e4), { material })).render(c, { depth: true });
        pixels(c, (at, ray) => {
          const expected = -away / ray[2];
          if (expected < 0.011 || expected * Math.max(...ray.map(Math.abs)) > 5e3) return;
          expect(Math.abs((depth?.[at] as number) / expected - 1)).toBeLessThan(1e-3);
        });
      }),
      { numRuns: 60 },
    );
  });
});

describe("pixel coverage", () => {
  it("every pixel of a triangulated plane belongs to exactly one triangle", () => {
    fc.assert(
      fc.property(fc.integer(), unitQuat, (seed, tilt) => {
        const random = new Random(seed);
        const cells = 5;
        const grid: Vec3[] = [];
        for (let j = 0; j <= cells; j++) {
          for (let i = 0; i <= cells; i++) {
            const inner = i > 0 && j > 0 && i < cells && j < cells;
            const jitter = () => (inner ? (random.uniform() - 0.5) * 0.6 : 0);
            grid.push([(i + jitter()) * 8 - 20, (j + jitter()) * 8 - 20, 0]);
          }
        }
        // At most a quarter of the tilt, so that the plane still fills the view.
        const rotation: QuatXyzw = [tilt[0] * 0.2, tilt[1] * 0.2, tilt[2], 2];
        const c = camera({ position: [0, 0, 4], rotation, width: 40, height: 40 });
        const hits = new Uint8Array(c.width * c.height);
        for (let j = 0; j < cells; j++) {
          for (let i = 0; i < cells; i++) {
            const corners = [0, 1, cells + 2, cells + 1].map((k) => j * (cells + 1) + i + k);
            const [a, b, d, e] = corners.map((k) => grid[k] as Vec3) as [Vec3, Vec3, Vec3, Vec3];
            for (const three of [
              [a, b, d],
              [a, d, e],
            ]) {
              const positions = Float32Array.from(three.flat());
              const mesh = { positions, indices: Uint32Array.of(0, 1, 2) };
              const { ids } = rendererOf(part(mesh)).render(c, { ids: true });
              for (const [at, id] of (ids ?? []).entries()) hits[at] = (hits[at] as number) + id;
            }
          }
        }
        expect(new Set(hits)).toEqual(new Set([1]));
      }),
      { numRuns: 15 },
    );
  });

  it("a camera in the corner of a room sees no holes", () => {
    const parts = [box([-0.02, -1.5, -0.03], [6, 1.2, 5], -1)].map((mesh) => part(mesh));
    for (let heading = 0; heading < 6; heading += 0.4) {
      const c = camera({ rotation: headingToQuatXyzw(heading) });
      const { depth } = rendererOf(...parts).render(c, { depth: true });
      expect(depth?.every((d) => d > 0)).toBe(true);
    }
  });

  it("only front faces are drawn unless the surface is double-sided", () => {
    const behind = camera({ position: [0, 0, -6], width: 8, height: 8 });
    const seen = (material: Material) =>
      rendererOf(part(wall(3), { material })).render(
        { ...behind, rotation: [0, 0, 0, 1], position: [0, 0, 0] },
        { ids: true },
      ).ids?.[0];
    const turned = (material: Material) =>
      rendererOf(part(wall(3), { material })).render(
        { ...behind, rotation: headingToQuatXyzw(Math.PI) },
        { ids: true },
      ).ids?.[0];
    expect([seen(WHITE), turned(WHITE)]).toEqual([1, 0]);
    expect(turned({ ...WHITE, doubleSided: true })).toBe(1);
  });

  it("an image spans the hfov of the camera with square pixels", () => {
    for (const hfovDeg of [40, 79, 90, 140]) {
      // A wall whose half-width covers exactly half of the image.
      const half = 2 * Math.tan((hfovDeg * Math.PI) / 360);
      const c = camera({ hfovDeg, width: 80, height: 60 });
      const { ids } = rendererOf(part(wall(2, half / 2))).render(c, { ids: true });
      const row = [...(ids ?? [])].slice(30 * 80, 31 * 80);
      expect([row.indexOf(1), row.lastIndexOf(1)]).toEqual([20, 59]);
      const column = Array.from({ length: 60 }, (_, y) => ids?.[y * 80 + 40]);
      expect([column.indexOf(1), column.lastIndexOf(1)]).toEqual([10, 49]);
    }
  });
});

describe("instances", () => {
  it("instance images match the first hit of a ray through each pixel", () => {
    fc.assert(
      fc.property(fc.integer(), unitQuat, (seed, rotation) => {
        const solids = boxes(new Random(seed), 25);
        const c = camera({ rotation, width: 48, height: 36, hfovDeg: 79 });
        const parts = solids.map(({ min, max }, i) => part(box(min, max), { instance: i + 1 }));
        const frame = new Renderer({ parts }).render(c, { ids: true, depth: true });
        let wrong = 0;
        pixels(c, (at, ray) => {
          let nearest = Number.POSITIVE_INFINITY;
          let expected = 0;
          for (const [i, { min, max }] of solids.entries()) {
            const t = enters(min, max, ray);
            if (t > 0.01 && t < nearest) [nearest, expected] = [t, i + 1];
          }
          const depth = frame.depth?.[at] as number;
          if (frame.ids?.[at] !== expected) wrong++;
          else if (expected > 0) expect(Math.abs(depth / nearest - 1)).toBeLessThan(1e-3);
        });
        // A pixel centre within rounding of an edge may go to either side.
        expect(wrong).toBeLessThanOrEqual(1);
      }),
      { numRuns: 40 },
    );
  });
});

/** Where a ray from the origin enters a box that does not contain the origin. */
function enters(min: Vec3, max: Vec3, ray: Vec3): number {
  let [near, far] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let axis = 0; axis < 3; axis++) {
    const a = (min[axis] as number) / (ray[axis] as number);
    const b = (max[axis] as number) / (ray[axis] as number);
    near = Math.max(near, Math.min(a, b));
    far = Math.min(far, Math.max(a, b));
  }
  return near <= far ? near : Number.POSITIVE_INFINITY;
}
