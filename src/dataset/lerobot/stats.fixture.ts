import type { DatasetSource } from "../format.js";
import { type LerobotEntry, readEntries } from "./entries.js";
import { FrameReader } from "./frames.js";
import { readInfo } from "./info.js";
import { missingFiles } from "./missing-files.js";
import { type FeatureStats, featureStats } from "./stats.js";

/** One line of `meta/episodes_stats.jsonl`. */
export interface EpisodeStats {
  readonly episode_index: number;
  readonly stats: Readonly<Record<string, FeatureStats>>;
}

/**
 * Recomputes the statistics of a LeRobot dataset's numeric features from its frames. LeRobot sums in single
 * precision, this in double, so means and deviations agree to about five digits.
 */
export async function* lerobotStats(source: DatasetSource): AsyncGenerator<EpisodeStats> {
  const info = await readInfo(source.path);
  const entries = await readEntries(info);
  const missing = await missingFiles(source, info, entries);
  const names = Object.keys(info.features).filter((name) =>
    /^(float|u?int)\d+$/.test(info.features[name]?.dtype ?? ""),
  );
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
