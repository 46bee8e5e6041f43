import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ReferenceWorld } from "../../src/simulator/manipulation/parity/compare.js";

/*
 * Frames of MuJoCo 3.14.0 (OSMesa) of a scene with every primitive, a mesh, textures, two lights, shadows, reflection,
 * transparency and a site, and of one with a skin over two links, written by `bench/mujoco_look_peer.py --size 48`.
 * test/peers compares larger models.
 */
const folderOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

describe("images of MuJoCo models", () => {
  let world: ReferenceWorld;
  beforeAll(async () => {
    world = await ReferenceWorld.open(folderOf("mujoco-look"));
  });
  afterAll(() => world?.dispose());

  it.each(["front", "side"])(
    "a scene with all kinds of geoms looks as MuJoCo draws it from the %s",
    async (camera) => {
      const { psnrDb, ssim, segmentation, depth, transparentDepth } = await world.compare(camera);
      expect(psnrDb).toBeGreaterThan(26);
      expect(ssim).toBeGreaterThan(0.94);
      expect(segmentation).toBeGreaterThan(0.995);
      // The floor reaches to the horizon, where a subpixel is centimetres.
      expect(depth.medianM).toBeLessThan(1e-4);
      expect(depth.p99M).toBeLessThan(0.02);
      expect(transparentDepth.pixels).toBeGreaterThan(50);
      expect(transparentDepth.p99M).toBeLessThan(1e-3);
    },
  );

  it("a skin looks as MuJoCo draws it, bent and twisted", async () => {
    const skinned = await ReferenceWorld.open(folderOf("mujoco-skin"));
    try {
      for (const { name } of skinned.state.cameras) {
        const { psnrDb, ssim, segmentation } = await skinned.compare(name);
        expect(psnrDb, name).toBeGreaterThan(50);
        expect(ssim, name).toBeGreaterThan(0.999);
        expect(segmentation, name).toBeGreaterThan(0.999);
      }
    } finally {
      skinned.dispose();
    }
  });
});
