import type { EpisodeLine, Fault } from "../core/interfaces/result.js";
import type { TrajectoryBuffer } from "../runs/trajectory.js";
import type { Job } from "./queue.js";
import type { Filming } from "./video/film.js";
import type { ToldGeometry } from "./world-geometry.js";

/** What is left of an episode when it is over. */
export interface EpisodeResult {
  readonly line: EpisodeLine;
  /** Undefined where none is to be saved, or the episode never began. */
  readonly steps: TrajectoryBuffer | undefined;
  readonly faults: readonly EpisodeFault[];
  /** Absent where none was to be made. */
  readonly film?: Filming;
  /** What the world looked like, where the simulator tells it and it is kept. */
  readonly geometry?: ToldGeometry | undefined;
}

/** What went wrong, for the log. */
export interface EpisodeFault {
  readonly fault: Fault;
  /** With its stack. */
  readonly error: string;
}

/** A place where one episode after the other is run. */
export interface Seat {
  /** Which worker it belongs to, for `JobQueue.take`. */
  readonly worker: number;
  /** Whether it is worth sending it the next episode while one is under way, which it then waits for. */
  readonly takesAhead?: boolean;
  /** What goes wrong inside an episode is in its line; a rejection ends the run. */
  run(job: Job): Promise<EpisodeResult>;
}

/** Those who run a run's episodes: this thread, or others. */
export interface Crew {
  readonly seats: readonly Seat[];
  /** Sensors that are asked for and that nobody has, a sentence a task. */
  readonly missingSensors: readonly string[];
  close(): Promise<void>;
}
