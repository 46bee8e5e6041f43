import { dirname, join } from "node:path";
import { makeFolder } from "../../config/output-path.js";
import { ParquetAppender } from "../readers/parquet-append.js";
import type { Column } from "../readers/parquet-write.js";
import { writeSynced } from "../write-file.js";
import { DatasetStats, type EpisodeStats, quantilesOf } from "./dataset-stats.js";
import { digits, FrameNumbering, type WrittenTotals } from "./episode-columns.js";
import type { LerobotWriter } from "./writer.js";
import { COUNTERS, type LerobotShape, type WrittenEpisode } from "./written.js";

/** Files in a folder, and size of a data file after which the next one begins; LeRobot's defaults. */
const CHUNK_SIZE = 1000;
const FILE_MB = 100;
const VIDEO_FILE_MB = 200;
/** Episodes in a row group of the list of episodes. */
const LISTED_AT_ONCE = 100;

const DATA_PATH = "data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet";

/** A line of the list of episodes. */
interface Entry {
  readonly index: number;
  readonly task: string;
  readonly length: number;
  readonly chunk: number;
  readonly file: number;
  readonly firstFrame: number;
  readonly stats: Readonly<Record<string, EpisodeStats>>;
}

/**
 * Writes a LeRobot v3.0 dataset without videos: images are in the Parquet files, which hold many episodes each. Source:
 * lerobot 0.4.4, `lerobot_dataset.py` and `utils.py`.
 */
export class LerobotWriterV3 implements LerobotWriter {
  readonly #numbering: FrameNumbering;
  readonly #stats = new DatasetStats();
  /** Entries that are not yet in the list. */
  #entries: Entry[] = [];
  #data: ParquetAppender | undefined;
  #list: ParquetAppender | undefined;
  /** Number of the current data file. */
  #file = 0;

  private constructor(
    private readonly folder: string,
    private readonly shape: LerobotShape,
    private readonly fileBytes: number,
  ) {
    this.#numbering = new FrameNumbering(shape);
  }

  /** @param fileBytes size of a data file after which the next one begins */
  static async create(
    folder: string,
    shape: LerobotShape,
    fileBytes = FILE_MB * 2 ** 20,
  ): Promise<LerobotWriterV3> {
    makeFolder(join(folder, "meta"));
    return new LerobotWriterV3(folder, shape, fileBytes);
  }

  async add(episode: WrittenEpisode): Promise<void> {
    const { index, firstFrame, length, columns, numbers, stats } = this.#numbering.add(episode);
    if (this.#data && this.#data.bytes >= this.fileBytes) {
      await this.#data.finish();
      this.#data = undefined;
      this.#file++;
    }
    const [chunk, file] = [Math.floor(this.#file / CHUNK_SIZE), this.#file % CHUNK_SIZE];
    this.#data ??= await this.#create(`data/${fileName(chunk, file)}`, columns);
    await this.#data.append(columns);
    const full: Record<string, EpisodeStats> = {};
    for (const [name, own] of Object.entries(stats)) {
      const frames = numbers.get(name);
      full[name] = frames ? { ...own, ...quantilesOf(frames) } : own;
    }
    this.#stats.add(full);
    const { task } = episode;
    this.#entries.push({ index, task, length, chunk, file, firstFrame, stats: full });
    if (this.#entries.length >= LISTED_AT_ONCE) await this.#writeEntries();
  }

  async finish(): Promise<WrittenTotals> {
    const { fps, robotType, features } = this.shape;
    const { tasks, totals } = this.#numbering;
    await this.#writeEntries();
    await this.#data?.finish();
    await this.#list?.finish();
    const list = taskColumns(tasks);
    const file = await this.#create("meta/tasks.parquet", list, { pandas: TASKS_METADATA });
    await file.append(list);
    await file.finish();
    await this.#writeJson("stats.json", this.#stats.toDict());
    await this.#writeJson("info.json", {
      codebase_version: "v3.0",
      robot_type: robotType,
      total_episodes: totals.episodes,
      total_frames: totals.frames,
      total_tasks: tasks.size,
      chunks_size: CHUNK_SIZE,
      data_files_size_in_mb: FILE_MB,
      video_files_size_in_mb: VIDEO_FILE_MB,
      fps,
      splits: { train: `0:${totals.episodes}` },
      data_path: DATA_PATH,
      video_path: null,
      features: { ...features, ...COUNTERS },
    });
    return totals;
  }

  async close(): Promise<void> {
    await Promise.all([this.#data?.close(), this.#list?.close()]);
  }

  async #writeEntries(): Promise<void> {
    const entries = this.#entries;
    if (entries.length === 0) return;
    this.#entries = [];
    const columns = entryColumns(entries);
    this.#list ??= await this.#create(`meta/episodes/${fileName(0, 0)}`, columns);
    await this.#list.append(columns);
  }

  #create(
    name: string,
    columns: readonly Column[],
    metadata?: Readonly<Record<string, string>>,
  ): Promise<ParquetAppender> {
    const path = join(this.folder, name);
    makeFolder(dirname(path));
    return ParquetAppender.create(path, columns, metadata);
  }

  async #writeJson(name: string, document: object): Promise<void> {
    await writeSynced(join(this.folder, "meta", name), `${JSON.stringify(document, null, 4)}\n`);
  }
}

function fileName(chunk: number, file: number): string {
  return `chunk-${digits(chunk, 3)}/file-${digits(file, 3)}.parquet`;
}

function entryColumns(entries: readonly Entry[]): Column[] {
  const whole = (name: string, value: (entry: Entry) => number): Column => {
    return { name, type: "int64", data: entries.map(value) };
  };
  return [
    whole("episode_index", ({ index }) => index),
    { name: "tasks", type: "string", list: true, data: entries.map(({ task }) => [task]) },
    whole("length", ({ length }) => length),
    whole("data/chunk_index", ({ chunk }) => chunk),
    whole("data/file_index", ({ file }) => file),
    whole("dataset_from_index", ({ firstFrame }) => firstFrame),
    whole("dataset_to_index", ({ firstFrame, length }) => firstFrame + length),
    ...statsColumns(entries),
    whole("meta/episodes/chunk_index", () => 0),
    whole("meta/episodes/file_index", () => 0),
  ];
}

/** A column `stats/<feature>/<statistic>` for each; those of images are nested [channels][1][1]. */
function statsColumns(entries: readonly Entry[]): Column[] {
  return Object.entries(entries[0]?.stats ?? {}).flatMap(([feature, stats]) =>
    Object.entries(stats).map(([key, value]): Column => {
      const all = entries.map((entry) => new Map(Object.entries(entry.stats[feature] ?? {})));
      const list = Array.isArray(value[0]) ? 3 : true;
      const type = key === "count" ? "int64" : "float64";
      const data = all.map((own) => own.get(key) ?? null);
      return { name: `stats/${feature}/${key}`, type, list, data };
    }),
  );
}

function taskColumns(tasks: ReadonlyMap<string, number>): Column[] {
  return [
    { name: "task_index", type: "int64", data: [...tasks.values()] },
    { name: "__index_level_0__", type: "string", data: [...tasks.keys()] },
  ];
}

const column = (name: string | null, field: string, kind: string, type: string) => ({
  ...{ name, field_name: field, pandas_type: kind, numpy_type: type, metadata: null },
});

/**
 * The metadata that makes pandas use the task texts as the index of the table, as LeRobot requires. Source:
 * https://pandas.pydata.org/docs/development/developer.html#storing-pandas-dataframe-objects-in-apache-parquet-format
 */
const TASKS_METADATA = JSON.stringify({
  index_columns: ["__index_level_0__"],
  column_indexes: [
    {
      ...{ name: null, field_name: null, pandas_type: "unicode", numpy_type: "object" },
      metadata: { encoding: "UTF-8" },
    },
  ],
  columns: [
    column("task_index", "task_index", "int64", "int64"),
    column(null, "__index_level_0__", "unicode", "object"),
  ],
  attributes: {},
  creator: { library: "robot-eval", version: "" },
  pandas_version: "2.0.0",
});
