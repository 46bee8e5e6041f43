import { describe, expect, it } from "vitest";
import {
  box,
  camera,
  floor,
  part,
  pixels,
  rendererOf,
  texture,
  WHITE,
  wall,
} from "../../../test/support/render-scene.js";
import { headingToQuatXyzw, type QuatXyzw } from "../../core/math/rotation.js";
import type { Material, ScenePart } from "../scenes/model.js";

const red = [255, 0, 0, 255];
const blue = [0, 0, 255, 255];

describe("textures", () => {
  const squares = texture(64, 64, (x, y) => (((x >> 5) + (y >> 5)) % 2 === 0 ? red : blue));
  const material: Material = { ...WHITE, texture: squares };

  it("textures are perspective-correct: a chequered floor matches ray casting", () => {
    // One repeat is 2 m, so squares are 1 m; u grows with x, v towards the viewer.
    const uvs = Float32Array.from([-25, 25, 25, 25, 25, -25, -25, -25].map((v) => v / 1));
    const renderer = rendererOf(part(floor(0, 50, { uvs }), { material }));
    // Looking down, looking ahead, and rolled to the side, where depth changes along each row.
    const looks: QuatXyzw[] = [
      [-0.43, 0, 0, 0.9],
      [-0.15, 0, 0, 0.99],
      [-0.3, 0.2, 0.5, 0.8],
    ];
    for (const rotation of looks) {
      const c = camera({ width: 160, height: 120, position: [0.3, 1.2, 0.4], rotation });
      const { rgb } = renderer.render(c, { rgb: true });
      let compared = 0;
      pixels(c, (at, ray) => {
        const depth = -1.2 / ray[1];
        if (depth < 0 || depth > 4) return;
        const [x, z] = [0.3 + depth * ray[0], 0.4 + depth * ray[2]];
        const offLine = (v: number) => Math.abs(v - Math.round(v)) > 0.03 * depth;
        if (!offLine(x) || !offLine(z)) return;
        const isRed = (Math.floor(x) + Math.floor(z)) % 2 === 0;
        expect([rgb?.[at * 3], rgb?.[at * 3 + 2]]).toEqual(isRed ? [255, 0] : [0, 255]);
        compared++;
      });
      expect(compared).toBeGreaterThan(3000);
    }
  });

  it("textures have their upper left corner at (0, 0) and repeat", () => {
    const corner = texture(4, 4, (x, y) => (x < 2 && y < 2 ? red : blue));
    const shown = (uvs: number[]) => {
      const mesh = wall(1, 1, { uvs: Float32Array.from(uvs) });
      const c = camera({ width: 4, height: 4 });
      const { rgb } = rendererOf(part(mesh, { material: { ...WHITE, texture: corner } })).render(
        c,
        {
          rgb: true,
        },
      );
      return Array.from({ length: 16 }, (_, p) => (rgb?.[p * 3] === 255 ? "R" : "b")).join("");
    };
    expect(shown([0, 1, 1, 1, 1, 0, 0, 0])).toBe("RRbbRRbbbbbbbbbb");
    expect(shown([-3, 8, -2, 8, -2, 7, -3, 7])).toBe("RRbbRRbbbbbbbbbb");
    expect(shown([0, 2, 2, 2, 2, 0, 0, 0])).toBe("RbRbbbbbRbRbbbbb");
  });

  it("a texture with a single texel is rendered", () => {
    const one = texture(1, 1, () => [10, 20, 30, 255]);
    const mesh = wall(1, 100, { uvs: new Float32Array(8) });
    const { rgb } = rendererOf(part(mesh, { material: { ...WHITE, texture: one } })).render(
      camera({ width: 1, height: 1 }),
      { rgb: true },
    );
    expect([...(rgb ?? [])]).toEqual([10, 20, 30]);
  });

  it("a distant texture shows its mean colour, not a single texel", () => {
    const uvs = Float32Array.from([0, 800, 800, 800, 800, 0, 0, 0]);
    const { rgb } = rendererOf(part(wall(90, 400, { uvs }), { material })).render(camera(), {
      rgb: true,
    });
    const [reds, greens, blues] = [0, 1, 2].map((k) => rgb?.filter((_, i) => i % 3 === k));
    expect(reds?.every((v) => v > 120 && v < 135)).toBe(true);
    expect(blues?.every((v) => v > 120 && v < 135)).toBe(true);
    expect(greens?.every((v) => v === 0)).toBe(true);
  });

  it("texels below half opacity are holes in colour, depth and instances", () => {
    const net = texture(2, 1, (x) => (x === 0 ? red : [0, 0, 255, 90]));
    const uvs = Float32Array.from([0, 1, 1, 1, 1, 0, 0, 0]);
    const scene = [
      part(wall(1, 1, { uvs }), { material: { ...WHITE, texture: net }, instance: 7 }),
      part(wall(2, 9), { instance: 8 }),
    ];
    const c = camera({ width: 4, height: 4 });
    const all = rendererOf(...scene).render(c, { rgb: true, depth: true, ids: true });
    expect([...(all.ids ?? [])].slice(0, 4)).toEqual([7, 7, 8, 8]);
    expect([...(all.depth ?? [])].slice(0, 4)).toEqual([1, 1, 2, 2]);
    expect([...(all.rgb ?? [])].slice(3, 9)).toEqual([255, 0, 0, 255, 255, 255]);
    expect(rendererOf(...scene).render(c, { depth: true }).depth).toEqual(all.depth);
    const glass = part(wall(1), { material: { ...WHITE, color: [1, 1, 1, 0.3] } });
    expect(rendererOf(glass).render(c, { ids: true }).ids?.[0]).toBe(0);
  });
});

describe("a colour", () => {
  const shade = (changes: Partial<ScenePart>, c = camera({ width: 9, height: 9 })) => {
    const { rgb } = rendererOf(part(wall(1), changes)).render(c, { rgb: true });
    return [...(rgb ?? [])].slice(4 * 27 + 12, 4 * 27 + 15);
  };

  it("light does not change the colour of an unlit material", () => {
    expect(shade({ material: { ...WHITE, color: [1, 0.5, 0.25, 1] } })).toEqual([255, 127, 63]);
  });

  it("a colour is that of the material times that of the vertices, interpolated across the triangle", () => {
    const colors = Uint8Array.from([
      0, 255, 0, 255, 255, 255, 0, 255, 255, 255, 0, 255, 0, 255, 0, 255,
    ]);
    const [r, g, b] = shade({ mesh: wall(1, 1, { colors }) }) as [number, number, number];
    expect(Math.abs(r - 127)).toBeLessThanOrEqual(1);
    expect(g).toBeGreaterThanOrEqual(254);
    expect(b).toBe(0);
  });

  it("light depends on the direction of the surface, equally with and without given normals", () => {
    const lit: Material = { ...WHITE, unlit: false };
    const normals = Float32Array.from(Array.from({ length: 4 }, () => [0, 0, 1]).flat());
    const given = shade({ material: lit, mesh: wall(1, 100, { normals }) });
    expect(given).toEqual(shade({ material: lit }));
    const downwards = Float32Array.from(Array.from({ length: 4 }, () => [0, -1, 0]).flat());
    expect(shade({ material: lit, mesh: wall(1, 100, { normals: downwards }) })).not.toEqual(given);
  });

  it("a double-sided surface is lit on its visible side", () => {
    const material: Material = { ...WHITE, unlit: false, doubleSided: true };
    const turn = headingToQuatXyzw(Math.PI);
    const behind = camera({ width: 9, height: 9, position: [0, 0, -2], rotation: turn });
    const backwards = wall(1).indices.toReversed();
    const other = shade({ material, mesh: { ...wall(1), indices: backwards } }, behind);
    expect(shade({ material }, behind)).toEqual(other);
    expect(shade({ material }, behind)).not.toEqual(shade({ material }));
  });

  it("the four walls of a room have different colours", () => {
    const renderer = rendererOf(
      part(box([-2, -1, -2], [2, 1, 2], -1), { material: { ...WHITE, unlit: false } }),
    );
    const seen = [0, 1, 2, 3].map((turn) => {
      const c = camera({ rotation: headingToQuatXyzw((turn * Math.PI) / 2), width: 9, height: 9 });
      return renderer.render(c, { rgb: true }).rgb?.[4 * 27 + 12] as number;
    });
    const sorted = seen.toSorted((a, b) => a - b);
    for (let i = 1; i < 4; i++) {
      expect((sorted[i] as number) - (sorted[i - 1] as number)).toBeGreaterThan(5);
    }
  });
});
