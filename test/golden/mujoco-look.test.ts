import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ReferenceWorld } from "../../src/simulator/manipulation/parity/compare.js";

/*
 * Frames of MuJoCo 3.14.0 (OSMesa) of a scene with every primitive, a mesh, textures, two lights, shadows, reflection,
 * transparency and a site, written by `bench/mujoco_look_peer.py --size 48`. test/peers compares larger models.
 */
const FOLDER = fileURLToPath(new URL("mujoco-look", import.meta.url));

describe("images of MuJoCo models", () => {
  let world: ReferenceWorld;
  beforeAll(async () => {
    world = await ReferenceWorld.open(FOLDER);
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
});
