import type { DatasetSource } from "../format.js";
import { type LerobotEntry, readEntries } from "./entries.js";
import { FrameReader, type Frames } from "./frames.js";
import { isNumeric, readInfo } from "./info.js";
import { missingFiles } from "./present.js";

/** A feature in one episode, number by number over its frames. */
export interface FeatureStats {
  readonly min: readonly number[];
  readonly max: readonly number[];
  readonly mean: readonly number[];
  /** Of the population, so divided by n. */
  readonly std: readonly number[];
  readonly count: readonly [frames: number];
}

/** As a line of `meta/episodes_stats.jsonl`. */
export interface EpisodeStats {
  readonly episode_index: number;
  readonly stats: Readonly<Record<string, FeatureStats>>;
}

/**
 * The statistics of a LeRobot dataset's numeric features, computed anew from its frames. LeRobot adds up
 * in single precision, we in double, so means and deviations agree to about five digits.
 */
export async function* lerobotStats(source: DatasetSource): AsyncGenerator<EpisodeStats> {
  const info = await readInfo(source.path);
  const entries = await readEntries(info);
  const missing = await missingFiles(source, info, entries);
  const names = Object.keys(info.features).filter((name) => {
    const feature = info.features[name];
    return feature !== undefined && isNumeric(feature);
  });
  const reader = new FrameReader(info);
  try {
    for (const entry of entries) {
      if (!missing.has(entry.file)) yield await statsOf(reader, entry, names);
    }
  } finally {
    await reader.close();
  }
}

async function statsOf(
  reader: FrameReader,
  entry: LerobotEntry,
  names: readonly string[],
): Promise<EpisodeStats> {
  const frames = await reader.read(entry, names);
  return {
    episode_index: entry.index,
    stats: Object.fromEntries(names.map((name) => [name, featureStats(frames.get(name) ?? [])])),
  };
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
