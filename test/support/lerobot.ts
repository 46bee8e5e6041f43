import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ParquetColumn, parquetBytes } from "../../src/dataset/readers/parquet-write.js";

/** Features: three state values, two action values, and an unused image. */
const FEATURES = {
  "observation.state": { dtype: "float32", shape: [3], names: { motors: ["a", "b", "c"] } },
  action: { dtype: "float32", shape: [2], names: [["x", "y"]] },
  "observation.images.top": { dtype: "video", shape: [4, 4, 3], names: ["h", "w", "c"] },
  timestamp: { dtype: "float32", shape: [1], names: null },
  frame_index: { dtype: "int64", shape: [1], names: null },
  episode_index: { dtype: "int64", shape: [1], names: null },
  index: { dtype: "int64", shape: [1], names: null },
  task_index: { dtype: "int64", shape: [1], names: null },
};

const TASKS = ["pick up the cup", "put it down"];
const FPS = 10;

/** Distinct frame values that are exact in single precision. */
export const stateOf = (episode: number, frame: number) => [episode, frame / 4, -frame];
export const actionOf = (episode: number, frame: number) => [frame + 0.5, -episode];

type Columns = Record<string, ParquetColumn>;

function framesOf(episode: number, length: number, firstIndex: number): Columns {
  const column = <T>(value: (i: number) => T) => Array.from({ length }, (_, i) => value(i));
  const columns: ParquetColumn[] = [
    {
      name: "observation.state",
      type: "float32",
      list: true,
      data: column((i) => stateOf(episode, i)),
    },
    { name: "action", type: "float32", list: true, data: column((i) => actionOf(episode, i)) },
    { name: "timestamp", type: "float32", data: column((i) => i / FPS) },
    { name: "frame_index", type: "int64", data: column((i) => i) },
    { name: "episode_index", type: "int64", data: column(() => episode) },
    { name: "index", type: "int64", data: column((i) => firstIndex + i) },
    { name: "task_index", type: "int64", data: column(() => episode % 2) },
  ];
  return Object.fromEntries(columns.map((one) => [one.name, one]));
}

export interface LerobotFixture {
  readonly lengths: readonly number[];
  readonly version?: string;
  /** Overrides for `meta/info.json`. */
  readonly info?: Readonly<Record<string, unknown>>;
  /** Changes an episode's columns before they are written. */
  readonly edit?: (columns: Columns, episode: number) => Columns;
}

/** Writes a version 2.1 dataset with one file per episode. */
export async function writeLerobot2(folder: string, fixture: LerobotFixture): Promise<string> {
  const { lengths, edit = (columns) => columns } = fixture;
  writeInfo(folder, "v2.1", fixture, {
    data_path: "data/chunk-{episode_chunk:03d}/episode_{episode_index:06d}.parquet",
  });
  const lines = lengths.map((length, i) => ({
    episode_index: i,
    tasks: [TASKS[i % 2]],
    length,
  }));
  write(join(folder, "meta/episodes.jsonl"), lines.map((line) => JSON.stringify(line)).join("\n"));
  const tasks = TASKS.map((task, task_index) => JSON.stringify({ task_index, task }));
  write(join(folder, "meta/tasks.jsonl"), tasks.join("\n"));
  let index = 0;
  for (const [i, length] of lengths.entries()) {
    const name = `episode_${String(i).padStart(6, "0")}.parquet`;
    const columns = edit(framesOf(i, length, index), i);
    write(join(folder, "data/chunk-000", name), await parquetBytes(Object.values(columns)));
    index += length;
  }
  return folder;
}

/** Writes a version 3.0 dataset with two episodes per file. */
export async function writeLerobot3(folder: string, fixture: LerobotFixture): Promise<string> {
  const { lengths, edit = (columns) => columns } = fixture;
  writeInfo(folder, "v3.0", fixture, {
    data_path: "data/chunk-{chunk_index:03d}/file-{file_index:03d}.parquet",
  });
  const starts = lengths.map((_, i) => lengths.slice(0, i).reduce((sum, n) => sum + n, 0));
  const int64 = (name: string, data: readonly number[]): ParquetColumn => {
    return { name, type: "int64", data };
  };
  const episodes: ParquetColumn[] = [
    int64(
      "episode_index",
      lengths.map((_, i) => i),
    ),
    {
      name: "tasks",
      type: "string",
      list: true,
      data: lengths.map((_, i) => [TASKS[i % 2] ?? ""]),
    },
    int64("length", lengths),
    int64(
      "data/chunk_index",
      lengths.map(() => 0),
    ),
    int64(
      "data/file_index",
      lengths.map((_, i) => Math.floor(i / 2)),
    ),
    int64("dataset_from_index", starts),
  ];
  write(join(folder, "meta/episodes/chunk-000/file-000.parquet"), await parquetBytes(episodes));
  const tasks: ParquetColumn[] = [
    int64("task_index", [0, 1]),
    { name: "__index_level_0__", type: "string", data: TASKS },
  ];
  write(join(folder, "meta/tasks.parquet"), await parquetBytes(tasks));
  for (let i = 0; i < lengths.length; i += 2) {
    const parts = [i, i + 1]
      .filter((n) => n < lengths.length)
      .map((n) => edit(framesOf(n, lengths[n] ?? 0, starts[n] ?? 0), n));
    const joined = Object.values(parts[0] ?? {}).map((column): ParquetColumn => {
      return { ...column, data: parts.flatMap((part) => part[column.name]?.data ?? []) };
    });
    const name = `file-${String(i / 2).padStart(3, "0")}.parquet`;
    write(join(folder, "data/chunk-000", name), await parquetBytes(joined));
  }
  return folder;
}

function writeInfo(
  folder: string,
  version: string,
  fixture: LerobotFixture,
  paths: Readonly<Record<string, string>>,
): void {
  const info = {
    codebase_version: fixture.version ?? version,
    robot_type: "arm",
    total_episodes: fixture.lengths.length,
    fps: FPS,
    chunks_size: 1000,
    ...paths,
    features: FEATURES,
    ...fixture.info,
  };
  write(join(folder, "meta/info.json"), JSON.stringify(info));
}

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
