import { describe, expect, it } from "vitest";
import { psnr } from "./psnr.js";
import { ssim } from "./ssim.js";

const SIZE = { width: 24, height: 17 };
const COUNT = 3 * SIZE.width * SIZE.height;

function image(seed: number): Uint8Array {
  return Uint8Array.from({ length: COUNT }, (_, i) => i * (7 + seed) + ((i * i) % (31 + seed)));
}

const original = image(0);
/** Clamped at 0 and 255, as the reference's. */
const noisy = Uint8Array.from(Uint8ClampedArray.from(original, (value, i) => value + (i % 5) - 2));

describe("SSIM and PSNR", () => {
  // skimage.metrics 0.26 with channel_axis=2, gaussian_weights=True, sigma=1.5, use_sample_covariance=False,
  // data_range=255 on the same arrays.
  it.each([
    ["an unrelated image", image(4), 0.006356219548777566, 7.7604775677748155],
    ["the image with noise of up to 2", noisy, 0.999513267827948, 45.163291631832045],
    ["the inverse", original.map((value) => 255 - value), -0.7878793801228207, 4.742239234713854],
  ])(
    "SSIM and PSNR of an image and %s equal those of scikit-image",
    (_, other, similar, decibels) => {
      expect(ssim(original, other, SIZE)).toBeCloseTo(similar, 12);
      expect(psnr(original, other)).toBeCloseTo(decibels, 12);
    },
  );

  it("equal images have SSIM 1 and infinite PSNR", () => {
    expect(ssim(original, original, SIZE)).toBeCloseTo(1, 15);
    expect(psnr(original, original)).toBe(Number.POSITIVE_INFINITY);
  });

  it("a difference of one step everywhere is 48.13 dB", () => {
    const dark = new Uint8Array(COUNT);
    expect(
      psnr(
        dark,
        dark.map(() => 1),
      ),
    ).toBeCloseTo(48.1308, 4);
  });

  it("SSIM and PSNR reject images of different, wrong or too small size", () => {
    const small = new Uint8Array(3 * 10 * 40);
    expect(() => psnr(original, small)).toThrow(/1224 and 1200 values/);
    expect(() => psnr(new Uint8Array(), new Uint8Array())).toThrow(/not empty/);
    expect(() => ssim(original, original, { width: 24, height: 16 })).toThrow(/as 24 x 16/);
    expect(() => ssim(small, small, { width: 10, height: 40 })).toThrow(/at least 11 x 11/);
  });
});
