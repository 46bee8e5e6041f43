import { dirname, join } from "node:path";
import { makeFolder } from "../../config/output-path.js";
import { writeParquet } from "../readers/parquet-write.js";
import { writeSynced } from "../write-file.js";
import { digits, FrameNumbering, type WrittenTotals } from "./episode-columns.js";
import { JsonLinesFile } from "./json-lines-file.js";
import type { LerobotWriter } from "./writer.js";
import { COUNTERS, DATA_PATH, type LerobotShape, type WrittenEpisode } from "./written.js";

const CHUNK_SIZE = 1000;

/** Writes a LeRobot v2.1 dataset without videos: one Parquet file for each episode, and lists as JSON lines. */
export class LerobotWriterV2 implements LerobotWriter {
  readonly #numbering: FrameNumbering;

  private constructor(
    private readonly folder: string,
    private readonly shape: LerobotShape,
    private readonly episodes: JsonLinesFile,
    private readonly stats: JsonLinesFile,
  ) {
    this.#numbering = new FrameNumbering(shape);
  }

  static async create(folder: string, shape: LerobotShape): Promise<LerobotWriterV2> {
    const meta = (name: string) => join(folder, "meta", name);
    makeFolder(join(folder, "meta"));
    const episodes = await JsonLinesFile.create(meta("episodes.jsonl"));
    const stats = await JsonLinesFile.create(meta("episodes_stats.jsonl"));
    return new LerobotWriterV2(folder, shape, episodes, stats);
  }

  async add(episode: WrittenEpisode): Promise<void> {
    const { index, length, columns, stats } = this.#numbering.add(episode);
    const chunk = `chunk-${digits(Math.floor(index / CHUNK_SIZE), 3)}`;
    const path = join(this.folder, "data", chunk, `episode_${digits(index, 6)}.parquet`);
    makeFolder(dirname(path));
    await writeParquet(path, columns);
    await this.stats.add({ episode_index: index, stats });
    await this.episodes.add({ episode_index: index, tasks: [episode.task], length });
  }

  async finish(): Promise<WrittenTotals> {
    const { fps, robotType, features } = this.shape;
    const { tasks: known, totals } = this.#numbering;
    const { episodes, frames } = totals;
    await this.close();
    const tasks = await JsonLinesFile.create(join(this.folder, "meta", "tasks.jsonl"));
    for (const [task, task_index] of known) await tasks.add({ task_index, task });
    await tasks.close();
    const info = {
      codebase_version: "v2.1",
      robot_type: robotType,
      total_episodes: episodes,
      total_frames: frames,
      total_tasks: known.size,
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
    return totals;
  }

  async close(): Promise<void> {
    await Promise.all([this.episodes.close(), this.stats.close()]);
  }
}
