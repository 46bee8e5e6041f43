import type { ColorImage } from "../../core/interfaces/observation.js";
import { imageAxis } from "./image-axis.js";

const SIZE = 8;

/** Quantisation of luminance and colour at quality 50, in rows. Source: ITU-T T.81 (1992), annex K. */
const LUMINANCE = [
  16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56,
  14, 17, 22, 29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113,
  92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
];
const COLOUR = [
  17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99, 99,
  47, 66, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
  99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
];

/** COSINES[u * 8 + x]: the orthonormal DCT-II. */
const COSINES = Float64Array.from({ length: SIZE * SIZE }, (_, i) => {
  const [u, x] = [Math.floor(i / SIZE), i % SIZE];
  return (u === 0 ? Math.sqrt(1 / SIZE) : 0.5) * Math.cos(((2 * x + 1) * u * Math.PI) / (2 * SIZE));
});

/**
 * The losses of a baseline JPEG without subsampling of colours: each block of 8 x 8 pixels is transformed and rounded.
 * The lossless part of the format would not change the image and is left out, which keeps the change synchronous.
 */
export const jpeg = imageAxis({
  description: "colour images with the losses of JPEG",
  parameter: "JPEG quality",
  unit: "of 100",
  neutral: 100,
  levels: [30, 10, 3],
  change: (image, quality) => compress(image, quality),
});

function compress({ width, height, data }: ColorImage, quality: number): Uint8Array {
  // libjpeg's scale of the tables, in percent.
  const scale = quality < 50 ? 5000 / quality : 200 - 2 * quality;
  const tableOf = (table: readonly number[]) =>
    table.map((q) => Math.min(255, Math.max(1, Math.floor((q * scale + 50) / 100))));
  const tables = [tableOf(LUMINANCE), tableOf(COLOUR), tableOf(COLOUR)];
  const planes = toPlanes(data);
  for (const [i, plane] of planes.entries()) {
    for (let y = 0; y < height; y += SIZE) {
      for (let x = 0; x < width; x += SIZE) {
        quantise(plane, { x, y, width, height }, tables[i] ?? []);
      }
    }
  }
  return toPixels(planes, data.length);
}

interface Block {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const block = new Float64Array(SIZE * SIZE);
const scratch = new Float64Array(SIZE * SIZE);

/** Rounds one block of a plane in place. Blocks at the edge continue their outermost pixels. */
function quantise(plane: Float64Array, { x, y, width, height }: Block, table: readonly number[]) {
  const at = (row: number, column: number) =>
    Math.min(height - 1, y + row) * width + Math.min(width - 1, x + column);
  for (let i = 0; i < block.length; i++) {
    block[i] = plane[at(Math.floor(i / SIZE), i % SIZE)] ?? 0;
  }
  transform(block, scratch, false);
  transform(scratch, block, false);
  for (const [i, q] of table.entries()) block[i] = Math.round((block[i] ?? 0) / q) * q;
  transform(block, scratch, true);
  transform(scratch, block, true);
  for (let row = 0; row < Math.min(SIZE, height - y); row++) {
    for (let column = 0; column < Math.min(SIZE, width - x); column++) {
      plane[at(row, column)] = block[row * SIZE + column] ?? 0;
    }
  }
}

/** Transforms the rows and writes them as columns, so that two calls transform both directions. */
function transform(from: Float64Array, to: Float64Array, inverse: boolean): void {
  for (let row = 0; row < SIZE; row++) {
    for (let i = 0; i < SIZE; i++) {
      let sum = 0;
      for (let j = 0; j < SIZE; j++) {
        const cosine = COSINES[inverse ? j * SIZE + i : i * SIZE + j] ?? 0;
        sum += cosine * (from[row * SIZE + j] ?? 0);
      }
      to[i * SIZE + row] = sum;
    }
  }
}

/** Y, Cb and Cr around 0. Source: ITU-T T.871 (2011), the JPEG file interchange format. */
function toPlanes(data: Uint8Array): readonly [Float64Array, Float64Array, Float64Array] {
  const count = data.length / 3;
  const [luma, blue, red] = [
    new Float64Array(count),
    new Float64Array(count),
    new Float64Array(count),
  ];
  for (let i = 0; i < count; i++) {
    const [r = 0, g = 0, b = 0] = [data[3 * i], data[3 * i + 1], data[3 * i + 2]];
    luma[i] = 0.299 * r + 0.587 * g + 0.114 * b - 128;
    blue[i] = -0.168736 * r - 0.331264 * g + 0.5 * b;
    red[i] = 0.5 * r - 0.418688 * g - 0.081312 * b;
  }
  return [luma, blue, red];
}

function toPixels(
  [luma, blue, red]: readonly [Float64Array, Float64Array, Float64Array],
  length: number,
): Uint8Array {
  const out = new Uint8ClampedArray(length);
  for (let i = 0; i < luma.length; i++) {
    const y = (luma[i] ?? 0) + 128;
    const [cb, cr] = [blue[i] ?? 0, red[i] ?? 0];
    out[3 * i] = y + 1.402 * cr;
    out[3 * i + 1] = y - 0.344136 * cb - 0.714136 * cr;
    out[3 * i + 2] = y + 1.772 * cb;
  }
  return new Uint8Array(out.buffer);
}
