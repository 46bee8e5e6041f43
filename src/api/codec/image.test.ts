import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import type { DepthImage, Image } from "../../core/interfaces/observation.js";
import { Random } from "../../core/math/random.js";
import { decodeImage, encodeImage } from "./image.js";

function noise(width: number, height: number, seed: number): Uint8Array {
  const random = new Random(seed);
  return Uint8Array.from({ length: width * height * 3 }, () => random.below(256));
}

describe("colour images", () => {
  it("colour images are identical after a PNG round trip", async () => {
    const image: Image = { kind: "rgb", width: 33, height: 17, data: noise(33, 17, 1) };
    expect(await decodeImage(await encodeImage(image), "rgb")).toEqual(image);
  });

  it("colour images stay nearly the same after a JPEG round trip, including small coloured objects", async () => {
    // A red dot of 2 x 2 on grey: 4:2:0 subsampling would mix its colour with the surroundings.
    const data = new Uint8Array(32 * 32 * 3).fill(120);
    for (const i of [15, 16]) for (const j of [15, 16]) data.set([230, 20, 20], (i * 32 + j) * 3);
    const bytes = await encodeImage({ kind: "rgb", width: 32, height: 32, data }, "jpeg");
    expect((await sharp(bytes).metadata()).chromaSubsampling).toBe("4:4:4");
    const back = await decodeImage(bytes, "rgb");
    for (const [i, value] of data.entries()) {
      expect(Math.abs(value - (back.data[i] ?? -999))).toBeLessThan(40);
    }
  });

  it("colour images are decoded to three channels from grey and transparent files", async () => {
    const grey = await sharp(new Uint8Array([0, 100, 200, 255]), {
      raw: { width: 2, height: 2, channels: 1 },
    })
      .png()
      .toBuffer();
    const image = await decodeImage(grey, "rgb");
    expect([...image.data]).toEqual([0, 0, 0, 100, 100, 100, 200, 200, 200, 255, 255, 255]);
    const half = await sharp(new Uint8Array([200, 100, 50, 0]), {
      raw: { width: 1, height: 1, channels: 4 },
    })
      .png()
      .toBuffer();
    expect([...(await decodeImage(half, "rgb")).data]).toEqual([0, 0, 0]);
  });
});

describe("depth and semantic images", () => {
  it("depth and semantic images keep all 65536 semantic ids in a PNG round trip", async () => {
    const data = Uint16Array.from({ length: 65536 }, (_, i) => i);
    const image: Image = { kind: "semantic", width: 256, height: 256, data };
    expect(await decodeImage(await encodeImage(image), "semantic")).toEqual(image);
  });

  it("depth and semantic images keep semantic ids for any image shape", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 9 }),
        fc.nat(),
        async (width, height, seed) => {
          const random = new Random(seed);
          const data = Uint16Array.from({ length: width * height }, () => random.below(65536));
          const image: Image = { kind: "semantic", width, height, data };
          expect(await decodeImage(await encodeImage(image), "semantic")).toEqual(image);
        },
      ),
      { numRuns: 25 },
    );
  });

  it("depth and semantic images keep depth to the millimetre, and exactly when encoded again", async () => {
    const random = new Random(3);
    const data = Float32Array.from({ length: 64 * 8 }, () => random.uniform() * 60);
    const image: DepthImage = { kind: "depth", width: 64, height: 8, data };
    const once = await decodeImage(await encodeImage(image), "depth");
    for (const [i, m] of data.entries()) {
      expect(Math.abs(m - (once.data[i] ?? Number.NaN))).toBeLessThan(0.000505);
    }
    expect(await decodeImage(await encodeImage(once), "depth")).toEqual(once);
  });

  it("depth is clamped to 0 and 65.535 m", async () => {
    const data = Float32Array.of(0, -1, Number.NaN, 65.535, 65.6, Number.POSITIVE_INFINITY);
    const bytes = await encodeImage({ kind: "depth", width: 6, height: 1, data });
    expect((await sharp(bytes).metadata()).depth).toBe("ushort");
    const back = await decodeImage(bytes, "depth");
    expect([...back.data]).toEqual([0, 0, 0, 65.535, 65.535, 65.535].map(Math.fround));
  });
});

describe("invalid images", () => {
  it("invalid images are rejected when the data does not match the width and height", async () => {
    const data = new Uint8Array(10);
    await expect(encodeImage({ kind: "rgb", width: 2, height: 2, data })).rejects.toMatchObject({
      code: "bad_image",
      message: "a rgb image of 2 x 2 has 10 values; it needs 12",
    });
    await expect(encodeImage({ kind: "rgb", width: 0, height: 2, data })).rejects.toMatchObject({
      code: "bad_image",
    });
  });

  it("invalid images are rejected when depth or semantic data is encoded as JPEG", async () => {
    const image: Image = { kind: "depth", width: 1, height: 1, data: new Float32Array(1) };
    await expect(encodeImage(image, "jpeg")).rejects.toMatchObject({ code: "lossy_image" });
  });

  it("invalid images are rejected when the bytes are not an image or have the wrong pixel type", async () => {
    await expect(decodeImage(new Uint8Array([1, 2, 3]), "rgb")).rejects.toMatchObject({
      code: "bad_image",
    });
    const rgb = await encodeImage({ kind: "rgb", width: 1, height: 1, data: new Uint8Array(3) });
    await expect(decodeImage(rgb, "depth")).rejects.toThrow("one 16-bit channel");
    await expect(decodeImage(rgb.subarray(0, 30), "rgb")).rejects.toMatchObject({
      code: "bad_image",
    });
  });
});
