import type { Column } from "../readers/parquet-write.js";
import type { Frames } from "./frames.js";
import { type ImageStats, imageStats } from "./image-stats.js";
import { type FeatureStats, featureStats } from "./stats.js";
import {
  COUNTERS,
  checkEpisode,
  type LerobotShape,
  lengthOf,
  type WrittenEpisode,
} from "./written.js";

export interface WrittenTotals {
  readonly episodes: number;
  readonly frames: number;
}

/** An episode as columns of a table, and their statistics. */
export interface EpisodeColumns {
  readonly index: number;
  /** Number of the first frame in the dataset. */
  readonly firstFrame: number;
  readonly length: number;
  readonly columns: readonly Column[];
  readonly numbers: ReadonlyMap<string, Frames>;
  readonly stats: Readonly<Record<string, FeatureStats | ImageStats>>;
}

/** Numbers the episodes, frames and tasks of a dataset. Only the task texts stay in memory. */
export class FrameNumbering {
  readonly tasks = new Map<string, number>();
  #totals: WrittenTotals = { episodes: 0, frames: 0 };

  constructor(private readonly shape: LerobotShape) {}

  get totals(): WrittenTotals {
    return this.#totals;
  }

  add(episode: WrittenEpisode): EpisodeColumns {
    const { features } = this.shape;
    checkEpisode(episode, features);
    const { episodes: index, frames: firstFrame } = this.#totals;
    const length = lengthOf(episode);
    const numbers = new Map([...episode.numbers, ...this.#counters(episode, length)]);
    const stats: Record<string, FeatureStats | ImageStats> = {};
    const columns = [...Object.entries(features), ...Object.entries(COUNTERS)].map(
      ([name, { dtype }]): Column => {
        if (dtype === "image") {
          const images = episode.images?.get(name) ?? [];
          stats[name] = imageStats(images.map(({ sums }) => sums));
          const data = images.map(({ bytes }, i) => ({ bytes, path: `frame_${digits(i, 6)}.png` }));
          return { name, type: dtype, data };
        }
        const rows = numbers.get(name) ?? [];
        stats[name] = featureStats(rows);
        const list = (rows[0]?.length ?? 0) > 1;
        return { name, type: dtype, list, data: list ? rows : rows.map(([value = 0]) => value) };
      },
    );
    this.#totals = { episodes: index + 1, frames: firstFrame + length };
    return { index, firstFrame, length, columns, numbers, stats };
  }

  /** The columns that number frames. */
  #counters({ task, timestamps }: WrittenEpisode, length: number): [string, Frames][] {
    const taskIndex = this.tasks.get(task) ?? this.tasks.size;
    this.tasks.set(task, taskIndex);
    const { episodes, frames } = this.#totals;
    const column = (value: (i: number) => number): Frames =>
      Array.from({ length }, (_, i) => [value(i)]);
    return [
      ["timestamp", column((i) => Math.fround(timestamps?.[i] ?? i / this.shape.fps))],
      ["frame_index", column((i) => i)],
      ["episode_index", column(() => episodes)],
      ["index", column((i) => frames + i)],
      ["task_index", column(() => taskIndex)],
    ];
  }
}

export function digits(n: number, width: number): string {
  return String(n).padStart(width, "0");
}
