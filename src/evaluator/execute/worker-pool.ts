import type { EpisodeLine, Fault } from "../../core/interfaces/result.js";
import type { PolicyIdentities } from "../../core/policy-identity.js";
import type { TrajectoryBuffer } from "../../runs/directory/trajectory.js";
import type { Job } from "../plan/queue.js";
import type { Filming } from "../record/video/film.js";
import type { ReportedGeometry } from "./world-geometry.js";

/** The outcome of one finished episode. */
export interface EpisodeResult {
  readonly line: EpisodeLine;
  /** Undefined if trajectories are not saved, or if the episode failed before its first record. */
  readonly steps: TrajectoryBuffer | undefined;
  readonly faults: readonly EpisodeFault[];
  /** Absent if the episode is not filmed. */
  readonly film?: Filming;
  /** The world's geometry, if the simulator reports it and the run keeps it. */
  readonly geometry?: ReportedGeometry | undefined;
}

/** A log entry for an error inside an episode. */
export interface EpisodeFault {
  readonly fault: Fault;
  /** Message and stack. */
  readonly error: string;
}

/** Runs one episode at a time, in this thread or in a worker thread. */
export interface EpisodeRunner {
  /** Index of the worker that it belongs to, for `JobQueue.take`. */
  readonly worker: number;
  /** True if the next episode should be sent while the current one still runs. */
  readonly takesAhead?: boolean;
  /** An error inside the episode is part of its line. A rejection ends the run. */
  run(job: Job): Promise<EpisodeResult>;
}

/** The runners of a run: `concurrency` of them for each worker. */
export interface WorkerPool {
  readonly runners: readonly EpisodeRunner[];
  /** One sentence per task that asks for sensors its simulator does not have. */
  readonly missingSensors: readonly string[];
  /** What the agents say that they are, by task. */
  readonly policies: PolicyIdentities;
  close(): Promise<void>;
}
