import { describe, expect, it } from "vitest";
import { smallHome } from "../../../../test/support/small-home.js";
import type { SceneModel, Texture } from "../../../simulator/scenes/model.js";
import { withBrowserTextures } from "./browser-textures.js";

function picture(width: number, height: number, data?: readonly number[]): Texture {
  const bytes = data ? Uint8Array.from(data) : new Uint8Array(4 * width * height);
  return { width, height, data: bytes };
}

/** A scene with one part for each texture. */
function painted(textures: readonly Texture[]): SceneModel {
  const home = smallHome();
  const [part] = home.parts;
  if (!part) throw new Error("an empty home");
  const parts = textures.map((texture) => ({
    ...part,
    material: { ...part.material, texture },
  }));
  return { ...home, parts };
}

async function sizesOf(textures: readonly Texture[]): Promise<(number | undefined)[][]> {
  const { parts } = await withBrowserTextures(painted(textures));
  return parts.map(({ material: { texture } }) => [texture?.width, texture?.height]);
}

describe("textures for a browser", () => {
  it("textures for a browser are unchanged if they are neither tiny nor large", async () => {
    const model = painted([picture(64, 32)]);
    expect((await withBrowserTextures(model)).parts).toEqual(model.parts);
  });

  it("textures for a browser are scaled down if they are large, and further if there are many", async () => {
    expect(await sizesOf([picture(4096, 2048)])).toEqual([[1024, 512]]);
    const many = Array.from({ length: 40 }, () => picture(1024, 1024));
    expect(await sizesOf(many)).toEqual(many.map(() => [512, 512]));
  });

  it("textures for a browser keep sharp edges of single-pixel squares", async () => {
    const [black, white] = [
      [0, 0, 0, 255],
      [255, 255, 255, 255],
    ];
    const checker = picture(
      2,
      2,
      [black, white, white, black].flatMap((pixel) => pixel ?? []),
    );
    const { parts } = await withBrowserTextures(painted([checker]));
    const texture = parts[0]?.material.texture;
    expect(texture?.width).toBe(64);
    const reds = (texture?.data ?? new Uint8Array()).filter((_, i) => i % 4 === 0);
    expect([reds[0], reds[31], reds[32], reds[63]]).toEqual([0, 0, 255, 255]);
    expect(new Set(reds)).toEqual(new Set([0, 255]));
  });
});
