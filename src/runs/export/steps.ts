import type { EpisodeLine } from "../../core/interfaces/result.js";
import { lineName } from "../directory/line-name.js";
import { savedTrajectory, type Trajectory } from "../directory/trajectory.js";
import type { ExportSource } from "./format.js";

const NO_STEPS_HINT =
  "run the benchmark with `output.save_trajectories: true`, or export to csv or parquet, which need no trajectories";

export function stepsOf({ run }: ExportSource, line: EpisodeLine): Promise<Trajectory> {
  return savedTrajectory(run, line, NO_STEPS_HINT);
}

export function nameOf({ episode_key, repeat }: EpisodeLine): string {
  return lineName(episode_key, repeat);
}
