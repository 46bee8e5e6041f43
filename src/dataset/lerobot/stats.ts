import type { Frames } from "./frames.js";

/** Statistics of one feature in one episode, per value over its frames. */
export interface FeatureStats {
  readonly min: readonly number[];
  readonly max: readonly number[];
  readonly mean: readonly number[];
  /** Population standard deviation (divided by n). */
  readonly std: readonly number[];
  readonly count: readonly [frames: number];
}

export function featureStats(frames: Frames): FeatureStats {
  const columns = Array.from({ length: frames[0]?.length ?? 0 }, (_, k) =>
    Float64Array.from(frames, (frame) => frame[k] as number),
  );
  const means = columns.map((column) => column.reduce((sum, x) => sum + x, 0) / column.length);
  return {
    min: columns.map((column) => column.reduce((a, b) => Math.min(a, b))),
    max: columns.map((column) => column.reduce((a, b) => Math.max(a, b))),
    mean: means,
    std: columns.map((column, k) => {
      const mean = means[k] as number;
      return Math.sqrt(column.reduce((sum, x) => sum + (x - mean) ** 2, 0) / column.length);
    }),
    count: [frames.length],
  };
}
