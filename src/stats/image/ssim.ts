import { checkSameSize } from "./same-size.js";

const RADIUS = 5;
const SIGMA = 1.5;
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;

/**
 * Mean structural similarity of two 8-bit RGB images: the mean over the three channels, each over all windows that lie
 * within the image.
 *
 * Formula: (2 μa μb + C1)(2 σab + C2) / ((μa² + μb² + C1)(σa² + σb² + C2)) in each window, an 11 x 11 Gaussian of
 * σ = 1.5, with C1 = (0.01 · 255)² and C2 = (0.03 · 255)².
 * Range: -1 to 1 (equal images).
 * Source: Wang, Bovik, Sheikh and Simoncelli, "Image quality assessment: from error visibility to structural
 * similarity", IEEE Transactions on Image Processing 13 (2004). Colour as in scikit-image: `structural_similarity(a, b,
 * channel_axis=2, gaussian_weights=True, sigma=1.5, use_sample_covariance=False)`.
 *
 * @param a r, g, b of each pixel, row by row
 */
export function ssim(
  a: Uint8Array,
  b: Uint8Array,
  { width, height }: { readonly width: number; readonly height: number },
): number {
  checkSameSize(a, b);
  if (a.length !== 3 * width * height || Math.min(width, height) <= 2 * RADIUS) {
    throw new RangeError(
      `SSIM of ${a.length} values as ${width} x ${height}: give RGB images of at least 11 x 11 pixels`,
    );
  }
  const window = new GaussianWindow(width, height);
  return [0, 1, 2].reduce((sum, channel) => sum + channelSsim(a, b, channel, window), 0) / 3;
}

function channelSsim(
  a: Uint8Array,
  b: Uint8Array,
  channel: number,
  window: GaussianWindow,
): number {
  const mean = (value: (i: number) => number) =>
    window.means((pixel) => value(3 * pixel + channel));
  const at = (image: Uint8Array, i: number) => image[i] as number;
  const meansA = mean((i) => at(a, i));
  const meansB = mean((i) => at(b, i));
  const squaresA = mean((i) => at(a, i) ** 2);
  const squaresB = mean((i) => at(b, i) ** 2);
  const products = mean((i) => at(a, i) * at(b, i));
  const sum = meansA.reduce((total, ma, i) => {
    const mb = meansB[i] as number;
    const varianceA = (squaresA[i] as number) - ma * ma;
    const varianceB = (squaresB[i] as number) - mb * mb;
    const covariance = (products[i] as number) - ma * mb;
    const luminance = (2 * ma * mb + C1) / (ma * ma + mb * mb + C1);
    return total + (luminance * (2 * covariance + C2)) / (varianceA + varianceB + C2);
  }, 0);
  return sum / meansA.length;
}

/** Gaussian means of all windows within an image, as two passes of a one-dimensional window. */
class GaussianWindow {
  readonly #weights: readonly number[];

  constructor(
    private readonly width: number,
    private readonly height: number,
  ) {
    const raw = Array.from({ length: 2 * RADIUS + 1 }, (_, i) =>
      Math.exp(-((i - RADIUS) ** 2) / (2 * SIGMA * SIGMA)),
    );
    const sum = raw.reduce((all, weight) => all + weight, 0);
    this.#weights = raw.map((weight) => weight / sum);
  }

  means(value: (pixel: number) => number): Float64Array {
    const columns = this.width - 2 * RADIUS;
    const rows = new Float64Array(columns * this.height);
    for (let y = 0; y < this.height; y++) {
      const line = Float64Array.from({ length: this.width }, (_, x) => value(y * this.width + x));
      for (let x = 0; x < columns; x++) rows[y * columns + x] = this.#weighted(line, x, 1);
    }
    const means = new Float64Array(columns * (this.height - 2 * RADIUS));
    for (let i = 0; i < means.length; i++) means[i] = this.#weighted(rows, i, columns);
    return means;
  }

  #weighted(values: Float64Array, start: number, stride: number): number {
    let sum = 0;
    for (let k = 0; k <= 2 * RADIUS; k++) {
      sum += (this.#weights[k] as number) * (values[start + k * stride] as number);
    }
    return sum;
  }
}
