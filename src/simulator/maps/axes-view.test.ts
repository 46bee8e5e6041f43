import sharp from "sharp";
import { expect, it } from "vitest";
import type { Vec3 } from "../../core/math/vec3.js";
import { Renderer } from "../render/renderer.js";
import { boundsOf } from "../scenes/geometry.js";
import type { ScenePart } from "../scenes/model.js";
import { axesPng } from "./axes-view.js";

/** A floor of 8 m around a point. */
function floorAt([x, y, z]: Vec3): ScenePart {
  const positions = [-4, 0, -4, -4, 0, 4, 4, 0, 4, 4, 0, -4].map(
    (v, i) => v + ([x, y, z][i % 3] ?? 0),
  );
  return {
    mesh: { positions: Float32Array.from(positions), indices: Uint32Array.of(0, 1, 2, 0, 2, 3) },
    material: { name: "floor", color: [1, 1, 1, 1], unlit: true },
    instance: 0,
  };
}

const INKS = { x: [0xd1, 0x00, 0x1f], y: [0x0a, 0x7d, 0x2c], z: [0x0a, 0x4f, 0xd1] };

/** The mean position of the pixels of each axis in the left and in the right picture. */
async function marks(parts: ScenePart[]) {
  const renderer = new Renderer({ parts });
  const png = await axesPng({ renderer, bounds: boundsOf(parts), title: "a", notes: ["b"] });
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  const half = info.width / 2;
  const found = Object.entries(INKS).flatMap(([name, ink]) =>
    ["left", "right"].map((side) => {
      let [n, sx, sy] = [0, 0, 0];
      for (let i = 0; i < info.width * info.height; i++) {
        const x = i % info.width;
        if (x < half !== (side === "left") || ink.some((c, k) => data[i * info.channels + k] !== c))
          continue;
        [n, sx, sy] = [n + 1, sx + x, sy + Math.floor(i / info.width)];
      }
      return [`${name} ${side}`, { n, x: sx / n, y: sy / n }] as const;
    }),
  );
  return Object.fromEntries(found);
}

it("the axes of a map are drawn with x to the right, z down and y upwards from the origin", async () => {
  const seen = await marks([floorAt([0, 0, 0])]);
  const [x, z, y] = [seen["x right"], seen["z right"], seen["y left"]];
  for (const mark of [x, y, z]) expect(mark?.n).toBeGreaterThan(60);
  // The middle of the right picture is the origin.
  expect(x?.x).toBeGreaterThan(872 + 20);
  expect(x?.y).toBeCloseTo(336, -1);
  expect(z?.y).toBeGreaterThan(336 + 20);
  expect(y?.y).toBeLessThan(336 - 20);
});

it("the axes are left out of a map if the origin is far from the scene", async () => {
  const seen = await marks([floorAt([500, 0, 0])]);
  expect(Object.values(seen).map(({ n }) => n)).toEqual([0, 0, 0, 0, 0, 0]);
});
