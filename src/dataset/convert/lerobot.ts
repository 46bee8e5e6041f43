import { mkdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { BaseEpisode } from "../../core/episode/base.js";
import { isRecord } from "../../core/record.js";
import { lerobotFormat } from "../formats/lerobot.js";

import type { Frames } from "../lerobot/frames.js";
import { type EpisodeStats, featureStats } from "../lerobot/stats.js";
import { parquetBytes } from "../parquet-write.js";
import { exists } from "../source.js";
import type { Drops } from "./drops.js";
import { framesOf, type Widths, widthsOf } from "./lerobot-frames.js";
import {
  CHUNK_SIZE,
  type Common,
  checkSame,
  commonOf,
  type MetaLine,
  writeMeta,
} from "./lerobot-meta.js";
import { writeSynced } from "./staging.js";
import type { ConvertTarget } from "./target.js";

const NO_PLACE = "LeRobot datasets have no place for it";

/** LeRobot v2.1, without videos: `qpos` becomes `observation.state`, `actions` becomes `action`. */
export const lerobotTarget: ConvertTarget = {
  name: lerobotFormat.name,
  description: "LeRobot v2.1, a folder: reference trajectories frame by frame, no videos",
  kind: "folder",
  paths: (out) => [out],
  owns: (out) => exists(join(out, "meta", "info.json")),

  async write(episodes, folder, { out, drops, note }) {
    await mkdir(join(folder, "meta"));
    const lines: MetaLine[] = [];
    const stats: EpisodeStats[] = [];
    const tasks = new Map<string, number>();
    let shared: { readonly widths: Widths; readonly common: Common } | undefined;
    let index = 0;
    for await (const episode of episodes) {
      shared ??= sharedOf(episode, out);
      const { widths, common } = shared;
      checkSame(episode, common, out);
      const own = framesOf(episode, widths, out, drops);
      reportDrops(episode, lines.length, common, out, drops);
      // LeRobot does not do without a task's text.
      const task = episode.instruction.text || episode.taskType;
      if (!tasks.has(task)) tasks.set(task, tasks.size);
      const counters = { episode: lines.length, index, task: tasks.get(task) ?? 0 };
      const columns = new Map([...own, ...countersOf(episode, own, common.fps, counters)]);
      await writeEpisode(folder, lines.length, columns, common);
      stats.push(statsOf(lines.length, columns));
      const length = lengthOf(own);
      lines.push({ length, task });
      index += length;
    }
    if (!shared) return;
    if (!shared.common.fpsIsKnown) {
      note(`no task_config.fps: frames are ${shared.common.fps} to the second`);
    }
    await writeMeta(folder, shared.common, lines, stats, tasks);
  },
};

function sharedOf(first: BaseEpisode, out: string) {
  const widths = widthsOf(first, out);
  return { widths, common: commonOf(first, widths) };
}

function lengthOf(frames: ReadonlyMap<string, Frames>): number {
  const [first] = frames.values();
  return first?.length ?? 0;
}

/** The columns by which frames are numbered, in the order of `COUNTERS`. */
function countersOf(
  episode: BaseEpisode,
  own: ReadonlyMap<string, Frames>,
  fps: number,
  start: { readonly episode: number; readonly index: number; readonly task: number },
): [string, Frames][] {
  const times = timestampsOf(episode, lengthOf(own));
  const timeOf = (i: number) => Math.fround(times?.[i] ?? i / fps);
  const column = (value: (i: number) => number): Frames =>
    Array.from({ length: lengthOf(own) }, (_, i) => [value(i)]);
  return [
    ["timestamp", column(timeOf)],
    ["frame_index", column((i) => i)],
    ["episode_index", column(() => start.episode)],
    ["index", column((i) => start.index + i)],
    ["task_index", column(() => start.task)],
  ];
}

/** Those of the recording, where it has one for every frame. */
function timestampsOf(episode: BaseEpisode, length: number): readonly number[] | undefined {
  const times = episode.referenceData?.trajectory?.timestamps;
  const all = Array.isArray(times) && times.length >= length && times.every(Number.isFinite);
  return all ? times : undefined;
}

async function writeEpisode(
  folder: string,
  index: number,
  columns: ReadonlyMap<string, Frames>,
  { features }: Common,
): Promise<void> {
  const chunk = String(Math.floor(index / CHUNK_SIZE)).padStart(3, "0");
  const name = `episode_${String(index).padStart(6, "0")}.parquet`;
  const path = join(folder, "data", `chunk-${chunk}`, name);
  await mkdir(dirname(path), { recursive: true });
  const bytes = await parquetBytes(
    Array.from(columns, ([column, frames]) => {
      const isVector = (frames[0]?.length ?? 0) > 1;
      return {
        name: column,
        type: features[column]?.dtype ?? "float32",
        list: isVector,
        data: isVector ? frames : frames.map(([value = 0]) => value),
      };
    }),
  );
  await writeSynced(path, bytes);
}

function statsOf(index: number, columns: ReadonlyMap<string, Frames>): EpisodeStats {
  const stats = Array.from(columns, ([name, frames]) => [name, featureStats(frames)] as const);
  return { episode_index: index, stats: Object.fromEntries(stats) };
}

function reportDrops(
  episode: BaseEpisode,
  index: number,
  { features }: Common,
  out: string,
  drops: Drops,
): void {
  const { startState, goals, instruction, referenceData, taskConfig, simParams } = episode;
  if (episode.episodeId !== String(index)) drops.add("episode_id", "episodes are numbered from 0");
  if (episode.taskType !== "manipulation") drops.add("task_type", NO_PLACE);
  if (episode.sceneId !== basename(resolve(out))) {
    drops.add("scene_id", "the folder's name takes its place");
  }
  drops.addOthers("start_state", startState, [], NO_PLACE);
  drops.addOthers("goals", goals, [], NO_PLACE);
  drops.addOthers("instruction", instruction, ["text"], NO_PLACE);
  drops.addOthers("reference_data", referenceData, ["trajectory"], NO_PLACE);
  const timed = timestampsOf(episode, 0) !== undefined;
  const parts = ["qpos", "actions", "ee_pose", ...(timed ? ["timestamps"] : [])];
  drops.addOthers("reference_data.trajectory", referenceData?.trajectory, parts, NO_PLACE);
  const names = Object.values(features).some(
    (feature) => feature.names?.join() === String(taskConfig.joint_names),
  );
  const held = [
    "robot_type",
    "robot",
    "fps",
    "frames",
    "features",
    ...(names ? ["joint_names"] : []),
  ];
  drops.addOthers("task_config", taskConfig, held, NO_PLACE);
  drops.addOthers("sim_params", simParams, [], NO_PLACE);
  const known = isRecord(taskConfig.features) ? taskConfig.features : {};
  for (const [name, feature] of Object.entries(known)) {
    if (Object.hasOwn(features, name)) continue;
    const isVideo = isRecord(feature) && feature.dtype === "video";
    drops.add(
      `task_config.features.${name}`,
      isVideo ? "videos are not copied" : "only state, action and ee_pose are carried over",
    );
  }
}
