import type { ColorImage, DepthImage } from "../../core/interfaces/observation.js";
import type { FeatureStats } from "./stats.js";

/** An image's contribution to the dataset's statistics: integer sums per channel. */
export interface PixelSums {
  readonly width: number;
  readonly height: number;
  readonly pixels: number;
  readonly channels: readonly ChannelSums[];
}

interface ChannelSums {
  readonly min: number;
  readonly max: number;
  readonly sum: number;
  readonly squares: number;
}

/** Image statistics of shape [channels, 1, 1], which broadcast over channels-first images. */
export interface ImageStats {
  readonly min: ChannelNumbers;
  readonly max: ChannelNumbers;
  readonly mean: ChannelNumbers;
  readonly std: ChannelNumbers;
  readonly count: FeatureStats["count"];
}

type ChannelNumbers = readonly (readonly [readonly [number]])[];

/** If the longer side reaches this many pixels, LeRobot downsamples it to about `SAMPLED_SIDE`. */
const LARGE_SIDE = 300;
const SAMPLED_SIDE = 150;

/** Sums colour values from 0 to 255, or depth in millimetres as stored in the file. */
export function pixelSums({ kind, width, height, data }: ColorImage | DepthImage): PixelSums {
  const channels = kind === "rgb" ? 3 : 1;
  const side = width > height ? width : height;
  const step = side < LARGE_SIDE ? 1 : Math.floor(side / SAMPLED_SIDE);
  const pixels = Math.ceil(width / step) * Math.ceil(height / step);
  return {
    width,
    height,
    pixels,
    channels: Array.from({ length: channels }, (_, channel) => {
      let [min, max, sum, squares] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0];
      for (let y = 0; y < height; y += step) {
        for (let x = 0; x < width; x += step) {
          const raw = data[(y * width + x) * channels + channel] as number;
          const value = kind === "rgb" ? raw : millimetres(raw);
          if (value < min) min = value;
          if (value > max) max = value;
          sum += value;
          squares += value * value;
        }
      }
      return { min, max, sum, squares };
    }),
  };
}

/**
 * Computes statistics as LeRobot does (`compute_stats.py`): over frames spread evenly through the episode,
 * scaled to 0 to 1. Depth stays in millimetres, because loading a 16-bit image as a tensor does not scale
 * it.
 */
export function imageStats(frames: readonly PixelSums[]): ImageStats {
  const sampled = sampledFrames(frames.length).flatMap((i) => frames[i] ?? []);
  const channels = sampled[0]?.channels.length ?? 0;
  const scale = channels === 3 ? 255 : 1;
  const pixels = sampled.reduce((all, frame) => all + frame.pixels, 0);
  const each = (value: (sums: readonly ChannelSums[]) => number): ChannelNumbers =>
    Array.from({ length: channels }, (_, k) => {
      return [[value(sampled.flatMap((frame) => frame.channels[k] ?? [])) / scale]];
    });
  const total = (sums: readonly ChannelSums[], key: "sum" | "squares") =>
    sums.reduce((all, one) => all + one[key], 0);
  return {
    min: each((sums) => Math.min(...sums.map(({ min }) => min))),
    max: each((sums) => Math.max(...sums.map(({ max }) => max))),
    mean: each((sums) => total(sums, "sum") / pixels),
    std: each((sums) => {
      const mean = total(sums, "sum") / pixels;
      return Math.sqrt(Math.max(0, total(sums, "squares") / pixels - mean * mean));
    }),
    count: [sampled.length],
  };
}

/** Clamped as in the image file. */
function millimetres(metres: number): number {
  return metres > 0 ? Math.min(65535, Math.round(metres * 1000)) : 0;
}

/** Samples all of up to 100 frames, then 100, then the 0.75th power of their number, at most 10,000. */
export function sampledFrames(length: number): number[] {
  const most = Math.min(Math.floor(length ** 0.75), 10_000);
  const count = Math.max(Math.min(length, 100), most);
  const step = (length - 1) / (count - 1);
  return Array.from({ length: count }, (_, i) =>
    i === count - 1 ? length - 1 : roundHalfToEven(i * step),
  );
}

/** Rounds as NumPy does. */
function roundHalfToEven(x: number): number {
  const below = Math.floor(x);
  if (x - below !== 0.5) return Math.round(x);
  return below % 2 === 0 ? below : below + 1;
}
