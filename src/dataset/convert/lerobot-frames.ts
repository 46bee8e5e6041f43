import type { BaseEpisode } from "../../core/episode/base.js";
import { DataError } from "../../core/errors.js";
import type { Frames } from "../lerobot/frames.js";
import type { Drops } from "./drops.js";

/** LeRobot's names for the parts of a trajectory. */
export const FEATURES = {
  qpos: "observation.state",
  actions: "action",
  ee_pose: "observation.ee_pose",
} as const;

type Part = keyof typeof FEATURES;
const PARTS = Object.keys(FEATURES) as readonly Part[];

/** The dataset's features with the size of each, taken from its first episode. */
export type Widths = ReadonlyMap<string, number>;

export function widthsOf(episode: BaseEpisode, out: string): Widths {
  const trajectory = episode.referenceData?.trajectory;
  const widths = new Map<string, number>();
  for (const part of PARTS) {
    const width = trajectory?.[part]?.[0]?.length ?? 0;
    if (width > 0) widths.set(FEATURES[part], width);
  }
  if (widths.has(FEATURES.qpos) || widths.has(FEATURES.actions)) return widths;
  throw notConvertible(episode, out, "has no reference_data.trajectory with qpos or actions");
}

/** An episode's frames by feature, in single precision, all of equal length. */
export function framesOf(
  episode: BaseEpisode,
  widths: Widths,
  out: string,
  drops: Drops,
): ReadonlyMap<string, Frames> {
  const trajectory = episode.referenceData?.trajectory ?? {};
  const length = (trajectory.actions ?? trajectory.qpos ?? []).length;
  if (length === 0)
    throw notConvertible(episode, out, "has no reference_data.trajectory with frames in it");
  const frames = new Map<string, Frames>();
  for (const part of PARTS) {
    const rows = trajectory[part];
    const width = widths.get(FEATURES[part]);
    const field = `reference_data.trajectory.${part}`;
    if (width === undefined) {
      if (rows)
        drops.add(
          field,
          "the first episode lacks it, and all episodes must have the same features",
        );
      continue;
    }
    // A recording often ends in a state without an action.
    const isLonger = rows?.length === length + 1;
    if (!rows || (rows.length !== length && !isLonger)) {
      throw notConvertible(
        episode,
        out,
        `has ${rows?.length ?? 0} rows in ${field}, expected ${length}, because the first episode has this part`,
      );
    }
    if (isLonger) drops.add(`${field}[-1]`, "the state after the last action belongs to no frame");
    const odd = rows.findIndex((row) => row.length !== width);
    if (odd !== -1) {
      throw notConvertible(
        episode,
        out,
        `has ${rows[odd]?.length} numbers in ${field}[${odd}], where the first episode has ${width}`,
      );
    }
    const kept = rows.slice(0, length);
    if (kept.some((row) => row.some((x) => Math.fround(x) !== x))) {
      drops.add(field, "rounded to single precision");
    }
    frames.set(
      FEATURES[part],
      kept.map((row) => row.map(Math.fround)),
    );
  }
  return frames;
}

function notConvertible(
  { episodeId, taskType }: BaseEpisode,
  out: string,
  problem: string,
): DataError {
  return new DataError("not_convertible", `episode ${episodeId} (${taskType}) ${problem}`, {
    where: out,
    hint: "lerobot stores demonstrations whose frames all have the same features; convert other episodes to native",
  });
}
