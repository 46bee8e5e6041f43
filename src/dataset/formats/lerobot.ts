import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { BaseEpisode } from "../../core/episode/base.js";
import { DataError } from "../../core/errors.js";
import { whereOf } from "../check.js";
import type { DatasetFormat, DatasetSource } from "../format.js";
import { type LerobotEntry, readEntries } from "../lerobot/entries.js";
import { FrameReader, type Frames } from "../lerobot/frames.js";
import { type LerobotInfo, namesOf, readInfo } from "../lerobot/info.js";
import { missingFile, missingFiles } from "../lerobot/missing-files.js";
import { readTasks } from "../lerobot/tasks.js";
import { readEach } from "../read-each.js";
import { episodesInChild } from "../reader/read-in-child.js";

/** The dataset's name for each part of a trajectory; the first that exists is used. */
const PARTS = {
  qpos: ["observation.state"],
  actions: ["action"],
  ee_pose: ["observation.ee_pose", "ee_pose"],
} as const;

/** LeRobot accepts a timestamp within this many seconds of `frame_index / fps`. */
const TIME_TOLERANCE = 1e-4;

/**
 * Demonstrations in LeRobot's format, versions 2.0, 2.1 and 3.0: a folder with `meta` and `data`. An
 * episode's frames become its reference trajectory: `observation.state` becomes `qpos`, whatever the robot
 * stores there, and `action` becomes `actions`. Videos are not read.
 *
 * Partial downloads often list episodes whose files are missing. That is an error unless `partial` or
 * `onBadEpisode` is set.
 */
export const lerobotFormat: DatasetFormat = {
  name: "lerobot",
  description: "LeRobot v2 and v3 demonstrations: a folder with meta/info.json and Parquet files",
  taskTypes: ["manipulation"],
  profile: "design",

  detect: ({ path, names, isDirectory }) =>
    isDirectory && names.includes("meta") && existsSync(join(path, "meta", "info.json")),

  episodes: (source) => episodesInChild("lerobot", source),
};

/** Reads in the calling process; the format itself reads in a child process that can be killed. */
export async function* lerobotEpisodes(source: DatasetSource): AsyncGenerator<BaseEpisode> {
  const info = await readInfo(source.path);
  const entries = await readEntries(info);
  const tasks = await readTasks(info);
  const missing = await missingFiles(source, info, entries);
  const reader = new FrameReader(info);
  const features = featureSummary(info);
  const parts = partsOf(info);
  const columns = ["timestamp", "task_index", ...Object.values(parts)];
  try {
    yield* readEach(source, entries, async (entry) => {
      if (missing.has(entry.file)) {
        if (source.partial) return [];
        throw missingFile(info, entry);
      }
      const frames = await reader.read(entry, columns);
      const texts = textsOf(entry, frames.get("task_index") ?? [], tasks);
      return new BaseEpisode(
        {
          episodeId: String(entry.index),
          taskType: source.taskType ?? "manipulation",
          sceneId: basename(resolve(source.path)),
          instruction: texts.length > 0 ? { text: texts.join("; ") } : {},
          referenceData: { trajectory: trajectoryOf(frames, parts, info.fps) },
          taskConfig: {
            robot_type: info.robot_type ?? undefined,
            fps: info.fps,
            frames: entry.length,
            features,
            tasks: texts.length > 1 ? texts : undefined,
          },
        },
        whereOf({ file: entry.file, item: `episode ${entry.index}` }),
      );
    });
  } finally {
    await reader.close();
  }
}

type Parts = Readonly<Record<string, string>>;

function partsOf(info: LerobotInfo): Parts {
  const parts: Record<string, string> = {};
  for (const [part, candidates] of Object.entries(PARTS)) {
    const feature = candidates.find((name) => Object.hasOwn(info.features, name));
    if (feature !== undefined) parts[part] = feature;
  }
  return parts;
}

function trajectoryOf(
  frames: ReadonlyMap<string, Frames>,
  parts: Parts,
  fps: number,
): Record<string, unknown> {
  const trajectory: Record<string, unknown> = {};
  for (const [part, feature] of Object.entries(parts)) trajectory[part] = frames.get(feature);
  const times = (frames.get("timestamp") ?? []).map(([time = 0]) => time);
  // Timestamps are kept only if they deviate from the constant rate given by `fps`.
  const steady = times.every((time, i) => {
    // Single precision has a relative error of 1e-7, which exceeds the tolerance late in a long episode.
    return Math.abs(time - i / fps) <= Math.max(TIME_TOLERANCE, time * 2 ** -22);
  });
  if (!steady) trajectory.timestamps = times;
  return trajectory;
}

/** Takes the task texts from the episode list, or else from the frames. Both must exist in `meta/tasks`. */
function textsOf(
  entry: LerobotEntry,
  taskIndex: Frames,
  tasks: ReadonlyMap<number, string>,
): readonly string[] {
  const used = [...new Set(taskIndex.map(([number = 0]) => number))];
  const texts = used.map((number) => {
    const text = tasks.get(number);
    if (text !== undefined) return text;
    throw new DataError(
      "unknown_task",
      `episode ${entry.index}: its frames have task_index ${number}, which does not exist in meta/tasks`,
      { where: entry.file, hint: `known: ${[...tasks.keys()].join(", ")}` },
    );
  });
  return entry.tasks && entry.tasks.length > 0 ? entry.tasks : texts;
}

/** The features of each frame, without the columns that number frames. */
function featureSummary(info: LerobotInfo): Readonly<Record<string, unknown>> {
  const counters = new Set(["timestamp", "frame_index", "episode_index", "index", "task_index"]);
  return Object.fromEntries(
    Object.entries(info.features)
      .filter(([name]) => !counters.has(name))
      .map(([name, feature]) => {
        const { dtype, shape } = feature;
        const names = namesOf(feature);
        return [name, names ? { dtype, shape, names } : { dtype, shape }];
      }),
  );
}
