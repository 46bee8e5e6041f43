import { DataError } from "../../core/errors.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import { lineName } from "../line-name.js";
import { readTrajectory, type Trajectory } from "../trajectory.js";
import type { ExportSource } from "./format.js";

/** What happened in an episode, which some formats cannot do without. */
export async function stepsOf({ run }: ExportSource, line: EpisodeLine): Promise<Trajectory> {
  const file = run.trajectoryOf(line);
  if (file !== null) return readTrajectory(file);
  throw new DataError("no_trajectory", `${nameOf(line)} has no saved trajectory`, {
    where: run.path,
    hint: "csv and parquet need none; for the others, run the benchmark with `output.save_trajectories: true`",
  });
}

export function nameOf({ episode_key, repeat }: EpisodeLine): string {
  return lineName(episode_key, repeat);
}
