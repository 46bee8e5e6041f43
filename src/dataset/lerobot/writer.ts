import { dirname, join } from "node:path";
import { makeFolder } from "../../config/output-path.js";
import { writeParquet } from "../readers/parquet-write.js";
import { writeSynced } from "../write-file.js";
import type { Frames } from "./frames.js";
import { type ImageStats, imageStats } from "./image-stats.js";
import { JsonLinesFile } from "./json-lines-file.js";
import { type FeatureStats, featureStats } from "./stats.js";
import {
  COUNTERS,
  checkEpisode,
  DATA_PATH,
  type LerobotShape,
  lengthOf,
  type WrittenEpisode,
} from "./written.js";

const CHUNK_SIZE = 1000;

export interface WrittenTotals {
  readonly episodes: number;
  readonly frames: number;
}

/**
 * Writes a LeRobot v2.1 dataset without videos, one episode at a time. Added episodes are on disk;
 * only the task texts stay in memory.
 *
 * @example
 * const writer = await LerobotWriter.create(folder, { fps: 4, robotType: "arm", features });
 * try {
 *   await writer.add({ name: "0", task: "reach", numbers: new Map([["action", [[0.5], [0.25]]]]) });
 *   await writer.finish();
 * } finally {
 *   await writer.close();
 * }
 */
export class LerobotWriter {
  readonly #tasks = new Map<string, number>();
  #totals: WrittenTotals = { episodes: 0, frames: 0 };

  private constructor(
    private readonly folder: string,
    private readonly shape: LerobotShape,
    private readonly episodes: JsonLinesFile,
    private readonly stats: JsonLinesFile,
  ) {}

  /** @param folder exists and contains no dataset */
  static async create(folder: string, shape: LerobotShape): Promise<LerobotWriter> {
    const meta = (name: string) => join(folder, "meta", name);
    makeFolder(join(folder, "meta"));
    const episodes = await JsonLinesFile.create(meta("episodes.jsonl"));
    const stats = await JsonLinesFile.create(meta("episodes_stats.jsonl"));
    return new LerobotWriter(folder, shape, episodes, stats);
  }

  async add(episode: WrittenEpisode): Promise<void> {
    const { features } = this.shape;
    checkEpisode(episode, features);
    const { episodes: index, frames } = this.#totals;
    const length = lengthOf(episode);
    const numbers = new Map([...episode.numbers, ...this.#counters(episode, length)]);
    const stats: Record<string, FeatureStats | ImageStats> = {};
    const columns = [...Object.entries(features), ...Object.entries(COUNTERS)].map(
      ([name, { dtype }]) => {
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
    await this.#writeData(index, (path) => writeParquet(path, columns));
    await this.stats.add({ episode_index: index, stats });
    await this.episodes.add({ episode_index: index, tasks: [episode.task], length });
    this.#totals = { episodes: index + 1, frames: frames + length };
  }

  /** Writes the metadata that is only known at the end. */
  async finish(): Promise<WrittenTotals> {
    const { fps, robotType, features } = this.shape;
    const { episodes, frames } = this.#totals;
    await this.close();
    const tasks = await JsonLinesFile.create(join(this.folder, "meta", "tasks.jsonl"));
    for (const [task, task_index] of this.#tasks) await tasks.add({ task_index, task });
    await tasks.close();
    const info = {
      codebase_version: "v2.1",
      robot_type: robotType,
      total_episodes: episodes,
      total_frames: frames,
      total_tasks: this.#tasks.size,
      total_videos: 0,
      total_chunks: Math.ceil(episodes / CHUNK_SIZE),
      chunks_size: CHUNK_SIZE,
      fps,
      splits: { train: `0:${episodes}` },
      data_path: DATA_PATH,
      video_path: null,
      features: { ...features, ...COUNTERS },
    };
    await writeSynced(join(this.folder, "meta", "info.json"), `${JSON.stringify(info, null, 4)}\n`);
    return this.#totals;
  }

  /** Closes the files; `finish` does so too. */
  async close(): Promise<void> {
    await Promise.all([this.episodes.close(), this.stats.close()]);
  }

  async #writeData(index: number, write: (path: string) => Promise<void>): Promise<void> {
    const chunk = `chunk-${digits(Math.floor(index / CHUNK_SIZE), 3)}`;
    const path = join(this.folder, "data", chunk, `episode_${digits(index, 6)}.parquet`);
    makeFolder(dirname(path));
    await write(path);
  }

  /** The columns that number frames. */
  #counters({ task, timestamps }: WrittenEpisode, length: number): [string, Frames][] {
    const taskIndex = this.#tasks.get(task) ?? this.#tasks.size;
    this.#tasks.set(task, taskIndex);
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

function digits(n: number, width: number): string {
  return String(n).padStart(width, "0");
}
