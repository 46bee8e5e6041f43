import type { ColorImage } from "../../core/interfaces/observation.js";
import { imageAxis } from "./image-axis.js";

/** Kernel radius in standard deviations; the rest of a Gaussian is below 0.3 %. */
const REACH = 3;

export const blur = imageAxis({
  description: "blurred colour images",
  parameter: "standard deviation of a Gaussian blur, in parts of the image's width",
  levels: [0.005, 0.015, 0.04],
  change: (image, share) => gaussianBlur(image, share * image.width),
});

/** Separable Gaussian blur; beyond the edges, the outermost pixels continue. */
function gaussianBlur({ width, height, data }: ColorImage, sigma: number): Uint8Array {
  const radius = Math.max(1, Math.ceil(REACH * sigma));
  const bell = Array.from({ length: 2 * radius + 1 }, (_, i) =>
    Math.exp(-((i - radius) ** 2) / (2 * sigma * sigma)),
  );
  const total = bell.reduce((sum, weight) => sum + weight, 0);
  const weights = bell.map((weight) => weight / total);
  const across = convolve(Float32Array.from(data), weights, {
    ...{ length: width, stride: 3, lines: height, lineStride: 3 * width },
  });
  const both = convolve(across, weights, {
    ...{ length: height, stride: 3 * width, lines: width, lineStride: 3 },
  });
  return Uint8Array.from(both, Math.round);
}

interface Direction {
  /** Pixels of a line, and the distance between their values. */
  readonly length: number;
  readonly stride: number;
  readonly lines: number;
  readonly lineStride: number;
}

function convolve(
  from: Float32Array,
  weights: readonly number[],
  { length, stride, lines, lineStride }: Direction,
): Float32Array {
  const radius = (weights.length - 1) / 2;
  const to = new Float32Array(from.length);
  for (let line = 0; line < lines; line++) {
    for (let i = 0; i < length; i++) {
      for (let base = line * lineStride; base < line * lineStride + 3; base++) {
        let sum = 0;
        for (let k = -radius; k <= radius; k++) {
          const at = Math.min(length - 1, Math.max(0, i + k));
          sum += (weights[k + radius] ?? 0) * (from[base + at * stride] ?? 0);
        }
        to[base + i * stride] = sum;
      }
    }
  }
  return to;
}
