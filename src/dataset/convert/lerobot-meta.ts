import { join } from "node:path";
import type { BaseEpisode } from "../../core/episode/base.js";
import { DataError, show } from "../../core/errors.js";
import { isRecord } from "../../core/record.js";

import type { EpisodeStats } from "../lerobot/stats.js";
import { FEATURES, type Widths } from "./lerobot-frames.js";
import { writeSynced } from "./staging.js";

export const CHUNK_SIZE = 1000;
const DEFAULT_FPS = 20;

/** The columns by which LeRobot numbers frames. */
const COUNTERS = {
  timestamp: "float32",
  frame_index: "int64",
  episode_index: "int64",
  index: "int64",
  task_index: "int64",
} as const;

interface Feature {
  readonly dtype: "float32" | "int64";
  readonly shape: readonly [number];
  readonly names: readonly string[] | null;
}

/** What all episodes of a dataset share. */
export interface Common {
  readonly fps: number;
  readonly fpsIsKnown: boolean;
  readonly robotType: string;
  readonly features: Readonly<Record<string, Feature>>;
}

export function commonOf(first: BaseEpisode, widths: Widths): Common {
  const { fps } = first.taskConfig;
  const fpsIsKnown = typeof fps === "number" && fps > 0;
  const features: Record<string, Feature> = {};
  for (const [name, width] of widths) {
    features[name] = { dtype: "float32", shape: [width], names: namesOf(first, name, width) };
  }
  for (const [name, dtype] of Object.entries(COUNTERS)) {
    features[name] = { dtype, shape: [1], names: null };
  }
  return { fps: fpsIsKnown ? fps : DEFAULT_FPS, fpsIsKnown, robotType: robotOf(first), features };
}

/** A dataset has one robot and one rate: two kinds of episodes are two datasets. */
export function checkSame(episode: BaseEpisode, common: Common, out: string): void {
  const { fps } = episode.taskConfig;
  const robot = robotOf(episode);
  const problem =
    robot !== common.robotType
      ? `robot ${show(robot)}, and the first has ${show(common.robotType)}`
      : fps !== undefined && fps !== common.fps
        ? `fps ${show(fps)}, and the first has ${common.fps}`
        : undefined;
  if (problem === undefined) return;
  throw new DataError("not_convertible", `episode ${episode.episodeId} has ${problem}`, {
    where: out,
    hint: "a LeRobot dataset has one robot and one rate: convert them apart",
  });
}

function robotOf({ taskConfig: { robot_type, robot } }: BaseEpisode): string {
  if (typeof robot_type === "string") return robot_type;
  return typeof robot === "string" ? robot : "unknown";
}

function namesOf(episode: BaseEpisode, feature: string, width: number): readonly string[] | null {
  const { features, joint_names } = episode.taskConfig;
  const described = isRecord(features) ? features[feature] : undefined;
  const isJoints = feature !== FEATURES.ee_pose;
  for (const names of [
    isRecord(described) ? described.names : undefined,
    isJoints ? joint_names : undefined,
  ]) {
    if (Array.isArray(names) && names.length === width) return names.map(String);
  }
  return null;
}

export interface MetaLine {
  readonly length: number;
  readonly task: string;
}

/** `meta/` of version 2.1, from what was written. */
export async function writeMeta(
  folder: string,
  common: Common,
  lines: readonly MetaLine[],
  stats: readonly EpisodeStats[],
  tasks: ReadonlyMap<string, number>,
): Promise<void> {
  const file = (name: string) => join(folder, "meta", name);
  const info = {
    codebase_version: "v2.1",
    robot_type: common.robotType,
    total_episodes: lines.length,
    total_frames: lines.reduce((sum, { length }) => sum + length, 0),
    total_tasks: tasks.size,
    total_videos: 0,
    total_chunks: Math.ceil(lines.length / CHUNK_SIZE),
    chunks_size: CHUNK_SIZE,
    fps: common.fps,
    splits: { train: `0:${lines.length}` },
    data_path: "data/chunk-{episode_chunk:03d}/episode_{episode_index:06d}.parquet",
    video_path: null,
    features: common.features,
  };
  await writeSynced(file("info.json"), `${JSON.stringify(info, null, 4)}\n`);
  const numbered = lines.map(({ task, length }, i) => ({
    episode_index: i,
    tasks: [task],
    length,
  }));
  await writeSynced(file("episodes.jsonl"), jsonLines(numbered));
  await writeSynced(file("episodes_stats.jsonl"), jsonLines(stats));
  const named = Array.from(tasks, ([task, task_index]) => ({ task_index, task }));
  await writeSynced(file("tasks.jsonl"), jsonLines(named));
}

function jsonLines(documents: readonly object[]): string {
  return documents.map((document) => `${JSON.stringify(document)}\n`).join("");
}
