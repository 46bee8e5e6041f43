import { DataError } from "../../core/errors.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import { lineName } from "../directory/line-name.js";
import { readTrajectory, type Trajectory } from "../directory/trajectory.js";
import type { ExportSource } from "./format.js";

/** Reads the saved trajectory of an episode, or throws if there is none. */
export async function stepsOf({ run }: ExportSource, line: EpisodeLine): Promise<Trajectory> {
  const file = run.trajectoryOf(line);
  if (file !== null) return readTrajectory(file);
  throw new DataError("no_trajectory", `${nameOf(line)} has no saved trajectory`, {
    where: run.path,
    hint: "run the benchmark with `output.save_trajectories: true`, or export to csv or parquet, which need no trajectories",
  });
}

export function nameOf({ episode_key, repeat }: EpisodeLine): string {
  return lineName(episode_key, repeat);
}
