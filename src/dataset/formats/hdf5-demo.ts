import type { BaseEpisode, EpisodeInit } from "../../core/episode/base.js";
import type { DataError } from "../../core/errors.js";
import type { Hdf5File } from "../readers/hdf5.js";
import type { Hdf5Dataset } from "../readers/hdf5-dataset.js";

/** The arrays of one recorded demonstration. */
export interface Demo {
  /** The number of actions. */
  readonly length: number;
  readonly startState: NonNullable<EpisodeInit["startState"]>;
  readonly trajectory: NonNullable<NonNullable<BaseEpisode["referenceData"]>["trajectory"]>;
}

/** The actions of a demonstration: at least one row of numbers. */
export function actionsOf(file: Hdf5File, group: string): Hdf5Dataset {
  const actions = file.dataset(`${group}/actions`);
  if (actions.length > 0 && actions.shape.length === 2) return actions;
  throw badDemo(file, group, `actions have the shape [${actions.shape.join(", ")}]`);
}

/** Combines the arrays that a recording has. The first joint positions are part of the start state. */
export function demoOf(
  actions: Hdf5Dataset,
  arrays: Readonly<Record<"qpos" | "ee_pose", number[][] | undefined>>,
  state: Demo["startState"],
): Demo {
  const { qpos, ee_pose } = arrays;
  const [joints] = qpos ?? [];
  return {
    length: actions.length,
    startState: { ...(joints ? { joint_positions: joints } : {}), ...state },
    trajectory: {
      ...(qpos ? { qpos } : {}),
      ...(ee_pose ? { ee_pose } : {}),
      actions: actions.rows(),
    },
  };
}

export function badDemo(file: Hdf5File, group: string, problem: string): DataError {
  const hint = "record it again or remove it; it is incomplete";
  return file.error(group, "bad_demo", problem, { hint });
}
