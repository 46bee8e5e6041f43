import { basename, join, resolve } from "node:path";
import type { BaseEpisode } from "../../core/episode/base.js";
import { isRecord } from "../../core/record.js";
import { lerobotFormat } from "../formats/lerobot.js";
import { LerobotWriter } from "../lerobot/writer.js";
import { exists } from "../source.js";
import type { Drops } from "./drops.js";
import { framesOf, type Widths, widthsOf } from "./lerobot-frames.js";
import { type Common, checkSame, commonOf } from "./lerobot-meta.js";
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
          // LeRobot does not do without a task's text.
          task: episode.instruction.text || episode.taskType,
          numbers,
          timestamps: timestampsOf(episode, first?.length ?? 0),
        });
        count++;
      }
      if (!shared) return;
      if (!shared.common.fpsIsKnown) {
        note(`no task_config.fps: frames are ${shared.common.fps} to the second`);
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

/** The first episode says what a dataset's episodes have. */
async function sharedOf(first: BaseEpisode, folder: string, out: string): Promise<Shared> {
  const widths = widthsOf(first, out);
  const common = commonOf(first, widths);
  return { widths, common, writer: await LerobotWriter.create(folder, common) };
}

/** Those of the recording, where it has one for every frame. */
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
    const dtype = isRecord(feature) ? feature.dtype : undefined;
    drops.add(
      `task_config.features.${name}`,
      dtype === "video" || dtype === "image"
        ? `${dtype}s are not copied`
        : "only state, action and ee_pose are carried over",
    );
  }
}
