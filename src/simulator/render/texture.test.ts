import { describe, expect, it } from "vitest";
import { texture } from "../../../test/support/render-scene.js";
import { mipsOf } from "./texture.js";

describe("the mip levels of a texture", () => {
  it("mip levels halve down to a single texel, which is the mean", () => {
    const { levels } = mipsOf(texture(8, 2, (x) => [x < 4 ? 200 : 100, 0, 40, 255]));
    expect(levels.map(({ width, height }) => [width, height])).toEqual([
      [8, 2],
      [4, 1],
      [2, 1],
      [1, 1],
    ]);
    expect(levels[3]?.texels[0]).toBe(0xff2800_96 >>> 0);
  });

  it("textures of other sizes are resampled to powers of two with the same colours", () => {
    const { levels } = mipsOf(texture(3, 5, () => [10, 20, 30, 255]));
    expect([levels[0]?.width, levels[0]?.height]).toEqual([4, 8]);
    expect(new Set(levels[0]?.texels)).toEqual(new Set([0xff1e140a]));
  });

  it("mip levels have at most 2048 texels per side", () => {
    const { levels } = mipsOf(texture(4096, 1, (x) => [x & 1 ? 100 : 50, 0, 0, 255]));
    expect(levels[0]?.width).toBe(2048);
    expect((levels[0]?.texels[7] as number) & 255).toBe(75);
  });

  it("mip levels average colours by opacity, ignoring transparent texels", () => {
    const { levels, minAlpha } = mipsOf(
      texture(2, 1, (x) => (x === 0 ? [200, 100, 0, 255] : [0, 0, 255, 0])),
    );
    expect(minAlpha).toBe(0);
    expect((levels[1]?.texels[0] as number) & 0xffffff).toBe(200 | (100 << 8));
  });

  it("mip levels are created once per texture", () => {
    const one = texture(2, 2, () => [1, 2, 3, 255]);
    expect(mipsOf(one)).toBe(mipsOf(one));
  });
});
