import type { PictureSteps } from "../../config/mapping.js";
import type { Image } from "../../core/interfaces/observation.js";
import { NdArray } from "../codec/ndarray.js";
import { pixels } from "../codec/observation.js";
import { resampleBilinear } from "./resample.js";

type Size = readonly [width: number, height: number];

/** Converts a camera image to the array layout that a policy was trained on. */
export function mapImage(image: Image, steps: PictureSteps): NdArray {
  const { resize, fit = "pad", flip, layout } = steps;
  const sized = resize ? resizeImage(image, resize, fit) : image;
  const array = pixels(flip ? flipped(sized, flip) : sized);
  return layout === "chw" && array.shape.length === 3 ? planes(array) : array;
}

/**
 * Resizes an image. `pad` is openpi's resize_with_pad: the whole image, as large as possible, centred on black.
 * Colours are interpolated as in Pillow. Depth and semantic ids take the nearest pixel, because a mean of two objects
 * is neither.
 */
function resizeImage(image: Image, size: Size, fit: "stretch" | "pad"): Image {
  const { width, height } = image;
  if (width === size[0] && height === size[1]) return image;
  if (fit === "stretch") return scaled(image, size);
  const ratio = Math.max(width / size[0], height / size[1]);
  return padded(scaled(image, [Math.trunc(width / ratio), Math.trunc(height / ratio)]), size);
}

function scaled(image: Image, size: Size): Image {
  const [width, height] = size;
  if (image.kind === "rgb") {
    const data = resampleBilinear(image.data, [image.width, image.height], size);
    return { kind: "rgb", width, height, data };
  }
  const column = nearest(image.width, width);
  const row = nearest(image.height, height);
  return rebuilt(image, size, (x, y) => (row[y] ?? 0) * image.width + (column[x] ?? 0));
}

/** Index of the nearest input for each output. */
function nearest(from: number, to: number): number[] {
  return Array.from({ length: to }, (_, i) => Math.trunc((i + 0.5) * (from / to)));
}

function padded(image: Image, size: Size): Image {
  const [width, height] = size;
  const left = Math.trunc((width - image.width) / 2);
  const top = Math.trunc((height - image.height) / 2);
  return rebuilt(image, size, (x, y) => {
    const inside = x >= left && x < left + image.width && y >= top && y < top + image.height;
    return inside ? (y - top) * image.width + (x - left) : -1;
  });
}

function flipped(image: Image, flip: "vertical" | "horizontal" | "both"): Image {
  const { width, height } = image;
  const column = (x: number) => (flip === "vertical" ? x : width - 1 - x);
  const row = (y: number) => (flip === "horizontal" ? y : height - 1 - y);
  return rebuilt(image, [width, height], (x, y) => row(y) * width + column(x));
}

/** Builds an image from pixels of this one; index -1 gives black or 0. */
function rebuilt(image: Image, size: Size, source: (x: number, y: number) => number): Image {
  const [width, height] = size;
  if (image.kind === "rgb") {
    const data = picked(image.data, new Uint8Array(width * height * 3), size, 3, source);
    return { kind: "rgb", width, height, data };
  }
  if (image.kind === "depth") {
    const data = picked(image.data, new Float32Array(width * height), size, 1, source);
    return { kind: "depth", width, height, data };
  }
  const data = picked(image.data, new Uint16Array(width * height), size, 1, source);
  return { kind: "semantic", width, height, data };
}

function picked<T extends Uint8Array | Uint16Array | Float32Array>(
  data: T,
  out: T,
  [width, height]: Size,
  channels: number,
  source: (x: number, y: number) => number,
): T {
  let at = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at += channels) {
      const from = source(x, y);
      if (from < 0) continue;
      for (let c = 0; c < channels; c++) out[at + c] = data[from * channels + c] ?? 0;
    }
  }
  return out;
}

/** Converts (height, width, 3) to (3, height, width). */
function planes(array: NdArray): NdArray {
  const [height = 0, width = 0, channels = 0] = array.shape;
  const area = height * width;
  const source = array.bytes();
  const data = new Uint8Array(source.length);
  for (let i = 0; i < area; i++) {
    for (let c = 0; c < channels; c++) data[c * area + i] = source[i * channels + c] ?? 0;
  }
  return new NdArray(array.dtype, [channels, height, width], data);
}
