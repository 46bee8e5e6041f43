import type { BaseEpisode } from "../../core/episode/base.js";
import { DataError, show } from "../../core/errors.js";
import { isRecord } from "../../core/record.js";
import type { LerobotShape, WrittenFeature } from "../lerobot/written.js";
import { FEATURES, type Widths } from "./lerobot-frames.js";

const DEFAULT_FPS = 20;

/** Properties that all episodes of a dataset share. */
export interface Common extends LerobotShape {
  readonly fpsIsKnown: boolean;
}

export function commonOf(first: BaseEpisode, widths: Widths): Common {
  const { fps } = first.taskConfig;
  const fpsIsKnown = typeof fps === "number" && fps > 0;
  const features: Record<string, WrittenFeature> = {};
  for (const [name, width] of widths) {
    features[name] = { dtype: "float32", shape: [width], names: namesOf(first, name, width) };
  }
  return { fps: fpsIsKnown ? fps : DEFAULT_FPS, fpsIsKnown, robotType: robotOf(first), features };
}

/** Throws if the episode's robot or frame rate differs from the dataset's. */
export function checkSame(episode: BaseEpisode, common: Common, out: string): void {
  const { fps } = episode.taskConfig;
  const robot = robotOf(episode);
  const problem =
    robot !== common.robotType
      ? `robot ${show(robot)}, but the first has ${show(common.robotType)}`
      : fps !== undefined && fps !== common.fps
        ? `fps ${show(fps)}, but the first has ${common.fps}`
        : undefined;
  if (problem === undefined) return;
  throw new DataError("not_convertible", `episode ${episode.episodeId} has ${problem}`, {
    where: out,
    hint: "convert them separately: a LeRobot dataset has one robot and one frame rate",
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
