/** Fractional bits of a weight: 255 times the sum of the weights still fits a signed 32-bit integer. */
const BITS = 22;

/** First input and fixed-point weights of each output. */
interface Weights {
  readonly starts: Int32Array;
  readonly counts: Int32Array;
  readonly weights: Int32Array;
  /** Number of weights stored per output. */
  readonly stride: number;
}

/**
 * Bilinear resampling, bit for bit as in Pillow: a triangle filter that widens with the reduction, rows first,
 * rounded to bytes in between. Policies are trained on images resized this way; other resizers give different edges
 * (OpenCV always uses four pixels). `data` holds r, g, b of each pixel.
 */
export function resampleBilinear(
  data: Uint8Array,
  from: readonly [width: number, height: number],
  to: readonly [width: number, height: number],
): Uint8Array {
  const narrowed = from[0] === to[0] ? data : alongRows(data, from, to[0]);
  return from[1] === to[1] ? narrowed : alongColumns(narrowed, to[0], from[1], to[1]);
}

function alongRows(
  data: Uint8Array,
  [width, height]: readonly [number, number],
  newWidth: number,
): Uint8Array {
  const { starts, counts, weights, stride } = weightsOf(width, newWidth);
  const out = new Uint8Array(newWidth * height * 3);
  const half = 1 << (BITS - 1);
  let at = 0;
  for (let y = 0; y < height; y++) {
    const row = y * width;
    for (let x = 0; x < newWidth; x++) {
      let pixel = (row + (starts[x] as number)) * 3;
      const end = x * stride + (counts[x] as number);
      let [r, g, b] = [half, half, half];
      for (let k = x * stride; k < end; k++, pixel += 3) {
        const weight = weights[k] as number;
        r += (data[pixel] as number) * weight;
        g += (data[pixel + 1] as number) * weight;
        b += (data[pixel + 2] as number) * weight;
      }
      out[at++] = r >> BITS;
      out[at++] = g >> BITS;
      out[at++] = b >> BITS;
    }
  }
  return out;
}

function alongColumns(
  data: Uint8Array,
  width: number,
  height: number,
  newHeight: number,
): Uint8Array {
  const { starts, counts, weights, stride } = weightsOf(height, newHeight);
  const line = width * 3;
  const out = new Uint8Array(line * newHeight);
  // Sum one row at a time, to read memory sequentially.
  const sums = new Int32Array(line);
  for (let y = 0; y < newHeight; y++) {
    sums.fill(1 << (BITS - 1));
    for (let k = 0; k < (counts[y] as number); k++) {
      const weight = weights[y * stride + k] as number;
      const first = ((starts[y] as number) + k) * line;
      for (let i = 0; i < line; i++) {
        sums[i] = (sums[i] as number) + (data[first + i] as number) * weight;
      }
    }
    for (let i = 0; i < line; i++) out[y * line + i] = (sums[i] as number) >> BITS;
  }
  return out;
}

function weightsOf(from: number, to: number): Weights {
  const scale = from / to;
  const reach = Math.max(1, scale);
  const stride = Math.ceil(reach) * 2 + 1;
  const starts = new Int32Array(to);
  const counts = new Int32Array(to);
  const weights = new Int32Array(to * stride);
  for (let i = 0; i < to; i++) {
    const center = (i + 0.5) * scale;
    const start = Math.max(0, Math.trunc(center - reach + 0.5));
    const end = Math.min(from, Math.trunc(center + reach + 0.5));
    const triangle = Array.from({ length: end - start }, (_, k) =>
      Math.max(0, 1 - Math.abs((start + k - center + 0.5) * (1 / reach))),
    );
    const sum = triangle.reduce((total, weight) => total + weight, 0);
    starts[i] = start;
    counts[i] = end - start;
    triangle.forEach((weight, k) => {
      weights[i * stride + k] = Math.trunc(0.5 + (weight / sum) * 2 ** BITS);
    });
  }
  return { starts, counts, weights, stride };
}
