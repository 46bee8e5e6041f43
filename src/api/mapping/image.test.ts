import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ColorImage, DepthImage } from "../../core/interfaces/observation.js";
import { mapImage } from "./image.js";

/** The image of test/peers/resize_peer.py. */
function formulaImage(width: number, height: number): ColorImage {
  const data = Uint8Array.from({ length: width * height * 3 }, (_, i) => {
    const [c, x, y] = [i % 3, Math.floor(i / 3) % width, Math.floor(i / 3 / width)];
    return (x * 7 + y * 13 + c * 29 + ((x * y) % 31)) % 256;
  });
  return { kind: "rgb", width, height, data };
}

function small(...rows: readonly (readonly number[])[]): ColorImage {
  const data = Uint8Array.from(rows.flat().flatMap((grey) => [grey, grey + 1, grey + 2]));
  return { kind: "rgb", width: rows[0]?.length ?? 0, height: rows.length, data };
}

describe("image resizing", () => {
  // Results of `openpi_client.image_tools.resize_with_pad` and Pillow's `resize`; test/peers computes them again.
  it.each([
    ["pad", 640, 480, 224, 224, "3223ffed3966508fe896552f930df8d9f1db4a2f4147b4214a3d43117857890b"],
    ["pad", 320, 240, 224, 224, "91f56c270a3f8b77d24475c7946e6ab35aae792de2a2c6edd39fb1b152e664e0"],
    ["pad", 100, 37, 64, 64, "aaf6080e06e7e636aec51c1727aa00a792e898811584dc72555025ce7b966f3d"],
    [
      "stretch",
      640,
      480,
      224,
      224,
      "7b92efe5f93bef152a11c6a4ca0f187edb57dd2b31278c850bbe33f6a207509c",
    ],
    ["stretch", 50, 40, 97, 81, "5c8d85153fbfabb959bbe4e6d9e9e93f88b094208424455f94a9c8c4ec47fb14"],
    ["pad", 33, 50, 224, 224, "6286c95868b777ef21864050c9bdb22af2c7ea63e95b9e88001816cbb7f7f620"],
    ["pad", 64, 48, 32, 24, "7561074a29d819bd82fee458f96cda0a72692767f4e82a8150645a2bf9d18e28"],
  ] as const)(
    "image resizing equals Pillow byte for byte: %s %i x %i to %i x %i",
    (fit, w, h, width, height, sha) => {
      const { data, shape } = mapImage(formulaImage(w, h), { resize: [width, height], fit });
      expect(shape).toEqual([height, width, 3]);
      expect(createHash("sha256").update(data).digest("hex")).toBe(sha);
    },
  );

  it("image resizing returns an image that already has the size unchanged", () => {
    const image = formulaImage(8, 6);
    expect(mapImage(image, { resize: [8, 6] }).data).toBe(image.data);
  });

  it("image resizing pads with black bars unless the image should be stretched", () => {
    const { data } = mapImage(small([10, 10, 10, 10], [10, 10, 10, 10]), { resize: [4, 4] });
    const reds = Array.from({ length: 16 }, (_, i) => data[i * 3]);
    expect(reds).toEqual([0, 0, 0, 0, 10, 10, 10, 10, 10, 10, 10, 10, 0, 0, 0, 0]);
  });

  it("image resizing takes the nearest depth and never mixes two depths", () => {
    const data = Float32Array.of(1, 5, 1, 5);
    const depth: DepthImage = { kind: "depth", width: 4, height: 1, data };
    const { data: halved, dtype } = mapImage(depth, { resize: [2, 1], fit: "stretch" });
    expect(dtype).toBe("<f4");
    expect([...halved]).toEqual([5, 5]);
  });
});

describe("image layout", () => {
  const image = small([10, 20], [30, 40]);
  const reds = (flip: "vertical" | "horizontal" | "both") => {
    const { data } = mapImage(image, { flip });
    return [data[0], data[3], data[6], data[9]];
  };

  it("an image is flipped vertically, horizontally, or both", () => {
    expect(reds("vertical")).toEqual([30, 40, 10, 20]);
    expect(reds("horizontal")).toEqual([20, 10, 40, 30]);
    expect(reds("both")).toEqual([40, 30, 20, 10]);
  });

  it("the image layout is planar if the policy requests it", () => {
    const { shape, data } = mapImage(image, { layout: "chw" });
    expect(shape).toEqual([3, 2, 2]);
    expect([...data]).toEqual([10, 20, 30, 40, 11, 21, 31, 41, 12, 22, 32, 42]);
  });
});
