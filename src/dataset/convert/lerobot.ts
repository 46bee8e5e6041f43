import { basename, join, resolve } from "node:path";
import type { BaseEpisode } from "../../core/episode/base.js";
import { isRecord } from "../../core/record.js";
import { lerobotFormat } from "../formats/lerobot.js";
import { createLerobotWriter, type LerobotWriter } from "../lerobot/writer.js";
import { exists } from "../source.js";
import type { Drops } from "./drops.js";
import { framesOf, type Widths, widthsOf } from "./lerobot-frames.js";
import { type Common, checkSame, commonOf } from "./lerobot-meta.js";
import type { ConvertTarget } from "./target.js";

const NOT_STORED = "LeRobot datasets cannot store it";

/** LeRobot v2.1, without videos: `qpos` becomes `observation.state`, `actions` becomes `action`. */
export const lerobotTarget: ConvertTarget = {
  name: lerobotFormat.name,
  description: "LeRobot v2.1, a folder: reference trajectories frame by frame, no videos",
  kind: "folder",
  paths: (out) => [out],
  owns: (out) => exists(join(out, "meta", "info.json")),

  async write(episodes, folder, { out, drops, note }) {
    let shared: Shared | undefined;
    let count = 0;
    try {
      for await (const episode of episodes) {
        shared ??= await sharedOf(episode, folder, out);
        const { widths, common, writer } = shared;
        checkSame(episode, common, out);
        const numbers = framesOf(episode, widths, out, drops);
        reportDrops(episode, count, common, out, drops);
        const [first] = numbers.values();
        await writer.add({
          name: episode.episodeId,
          // LeRobot requires a task text.
          task: episode.instruction.text || episode.taskType,
          numbers,
          timestamps: timestampsOf(episode, first?.length ?? 0),
        });
        count++;
      }
      if (!shared) return;
      if (!shared.common.fpsIsKnown) {
        note(`task_config.fps is missing: assumed ${shared.common.fps} frames per second`);
      }
      await shared.writer.finish();
    } finally {
      await shared?.writer.close();
    }
  },
};

interface Shared {
  readonly widths: Widths;
  readonly common: Common;
  readonly writer: LerobotWriter;
}

/** Takes the properties that all episodes share from the first episode. */
async function sharedOf(first: BaseEpisode, folder: string, out: string): Promise<Shared> {
  const widths = widthsOf(first, out);
  const common = commonOf(first, widths);
  return { widths, common, writer: await createLerobotWriter(folder, common, "2.1") };
}

/** The recorded timestamps, if there is one for every frame. */
function timestampsOf(episode: BaseEpisode, length: number): readonly number[] | undefined {
  const times = episode.referenceData?.trajectory?.timestamps;
  const all = Array.isArray(times) && times.length >= length && times.every(Number.isFinite);
  return all ? times : undefined;
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
  if (episode.taskType !== "manipulation") drops.add("task_type", NOT_STORED);
  if (episode.sceneId !== basename(resolve(out))) {
    drops.add("scene_id", "replaced by the folder's name");
  }
  drops.addOthers("start_state", startState, [], NOT_STORED);
  drops.addOthers("goals", goals, [], NOT_STORED);
  drops.addOthers("instruction", instruction, ["text"], NOT_STORED);
  drops.addOthers("reference_data", referenceData, ["trajectory"], NOT_STORED);
  const timed = timestampsOf(episode, 0) !== undefined;
  const parts = ["qpos", "actions", "ee_pose", ...(timed ? ["timestamps"] : [])];
  drops.addOthers("reference_data.trajectory", referenceData?.trajectory, parts, NOT_STORED);
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
  drops.addOthers("task_config", taskConfig, held, NOT_STORED);
  drops.addOthers("sim_params", simParams, [], NOT_STORED);
  const known = isRecord(taskConfig.features) ? taskConfig.features : {};
  for (const [name, feature] of Object.entries(known)) {
    if (Object.hasOwn(features, name)) continue;
    const dtype = isRecord(feature) ? feature.dtype : undefined;
    drops.add(
      `task_config.features.${name}`,
      dtype === "video" || dtype === "image"
        ? `${dtype}s are not copied`
        : "only state, action and ee_pose are converted",
    );
  }
}
