import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ColorImage } from "../../core/interfaces/observation.js";
import { imageStats, pixelSums, sampledFrames } from "./image-stats.js";

function testImage(width: number, height: number, color: (x: number, y: number) => number[]) {
  const data = Array.from({ length: width * height }, (_, i) =>
    color(i % width, Math.floor(i / width)),
  );
  return { kind: "rgb", width, height, data: Uint8Array.from(data.flat()) } as const;
}

const alone = (image: ColorImage) => imageStats([pixelSums(image)]);

describe("image statistics", () => {
  it("the statistics code computes image statistics per channel between 0 and 1", () => {
    expect(alone(testImage(2, 1, (x) => [255 * x, 51, 102 * x]))).toEqual({
      min: [[[0]], [[0.2]], [[0]]],
      max: [[[1]], [[0.2]], [[0.4]]],
      mean: [[[0.5]], [[0.2]], [[0.2]]],
      std: [[[0.5]], [[0]], [[0.2]]],
      count: [1],
    });
  });

  it("the statistics code samples every fourth pixel of 640 x 480, as LeRobot does", () => {
    const large = testImage(640, 480, (x, y) => (x % 4 || y % 4 ? [255, 255, 255] : [51, 102, 0]));
    expect(pixelSums(large).pixels).toBe(160 * 120);
    expect(alone(large).max).toEqual([[[0.2]], [[0.4]], [[0]]]);
    const small = testImage(299, 2, (x) => [x % 2, 0, 0]);
    expect(pixelSums(small).pixels).toBe(598);
  });

  it("the statistics code computes depth statistics in millimetres", () => {
    const data = Float32Array.of(0, 1.5, Number.NaN, 100);
    const { min, max } = imageStats([pixelSums({ kind: "depth", width: 2, height: 2, data })]);
    expect([min, max]).toEqual([[[[0]]], [[[65535]]]]);
  });

  it("image statistics satisfy min <= mean <= max and a bounded deviation", () => {
    const bytes = fc.uint8Array({ minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(fc.array(bytes, { minLength: 1, maxLength: 5 }), (frames) => {
        const sums = frames.map((data) => pixelSums({ kind: "rgb", width: 2, height: 2, data }));
        const { min, max, mean, std, count } = imageStats(sums);
        expect(count).toEqual([frames.length]);
        for (const k of [0, 1, 2]) {
          const [low, high] = [min[k]?.[0][0] ?? 0, max[k]?.[0][0] ?? 0];
          expect(mean[k]?.[0][0]).toBeGreaterThanOrEqual(low);
          expect(mean[k]?.[0][0]).toBeLessThanOrEqual(high);
          expect(std[k]?.[0][0]).toBeLessThanOrEqual((high - low) / 2 + 1e-9);
        }
      }),
    );
  });
});

describe("sampledFrames", () => {
  // The expected values come from LeRobot's compute_stats.py.
  it.each([
    [1, 1],
    [99, 99],
    [100, 100],
    [450, 100],
    [1000, 177],
    [2000, 299],
    [5000, 594],
    [20000, 1681],
  ])("sampledFrames samples, of %i frames, %i", (length, count) => {
    const frames = sampledFrames(length);
    expect(frames).toHaveLength(count);
    expect([frames[0], frames.at(-1)]).toEqual([0, length - 1]);
    expect(frames).toEqual([...new Set(frames)].sort((a, b) => a - b));
  });

  it("sampledFrames rounds halves to even, as NumPy does", () => {
    // np.linspace(0, 470, 101)[15] is 70.5.
    expect(sampledFrames(471)[15]).toBe(70);
    expect(sampledFrames(471)[5]).toBe(24);
  });
});
