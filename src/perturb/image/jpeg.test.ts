import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { ColorImage } from "../../core/interfaces/observation.js";
import { jpeg } from "./jpeg.js";

/** 13 x 10 pixels, so that blocks at the edges are incomplete. */
function gradient(): ColorImage {
  const [width, height] = [13, 10];
  const data = new Uint8Array(3 * width * height).map((_, i) => {
    const pixel = Math.floor(i / 3);
    return [12 * (pixel % width), 20 * Math.floor(pixel / width), 128][i % 3] ?? 0;
  });
  return { kind: "rgb", width, height, data };
}

function changed(image: ColorImage, quality: number): ColorImage {
  const seen = jpeg.channel?.({ value: quality, seed: 1, parameters: {} });
  return seen?.observe?.({ rgb: image }).rgb as ColorImage;
}

function meanError(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += Math.abs((a[i] ?? 0) - (b[i] ?? 0));
  return sum / a.length;
}

describe("the axis jpeg", () => {
  it("the axis jpeg loses more at a lower quality", () => {
    const image = gradient();
    const errors = jpeg.levels.map((quality) =>
      meanError(changed(image, quality).data, image.data),
    );
    expect(errors).toEqual([...errors].sort((a, b) => a - b));
    expect(errors[0]).toBeGreaterThan(0);
    expect(errors[0]).toBeLessThan(6);
  });

  it("the axis jpeg gives the pixels that libjpeg decodes, up to rounding", async () => {
    const image = gradient();
    const { width, height, data } = image;
    for (const quality of jpeg.levels) {
      const file = await sharp(data, { raw: { width, height, channels: 3 } })
        .jpeg({ quality, chromaSubsampling: "4:4:4", optimiseCoding: false })
        .toBuffer();
      const decoded = await sharp(file).raw().toBuffer();
      expect(meanError(changed(image, quality).data, decoded), String(quality)).toBeLessThan(1);
    }
  });
});
