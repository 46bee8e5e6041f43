import type { ConfigDocument } from "../config/schema.js";
import type { EpisodeDict } from "../core/episode/schemas.js";
import type { EpisodeLine } from "../core/interfaces/result.js";
import type { EpisodeFault } from "./crew.js";
import type { PlainError } from "./plain-error.js";
import type { Filming, VideoChoice } from "./video/film.js";
import type { ToldGeometry } from "./world-geometry.js";

/**
 * What passes between the main thread and a worker. Both are of one version and one process, so the
 * types are all there is to the protocol.
 */

/** What a worker needs to make the same plan, with no dataset read a second time. */
export interface WorkerSetup {
  readonly benchmark: {
    readonly text: string;
    readonly file: string;
    readonly baseDir: string;
    /** After `--set`. */
    readonly document: ConfigDocument;
  };
  readonly agent: string;
  readonly seed: number;
  readonly savesTrajectories: boolean;
  readonly keepsGeometry?: boolean | undefined;
  readonly video: VideoChoice | undefined;
  /** Episodes under way at once. */
  readonly lanes: number;
  /** One episode of each task that has any in this run, to prepare the task with. */
  readonly samples: Readonly<Record<string, EpisodeDict>>;
}

export type ToWorker =
  | {
      readonly type: "run";
      readonly job: number;
      readonly task: string;
      readonly episode: EpisodeDict;
      readonly repeat: number;
      readonly attempt: number;
    }
  /** The answer to `episodes_wanted`. */
  | {
      readonly type: "episodes";
      readonly task: string;
      readonly episodes: readonly EpisodeDict[];
    }
  /** The run has begun: where simulators' logs stand from now on. */
  | { readonly type: "logs"; readonly folder: string }
  | { readonly type: "close" };

export type FromWorker =
  | { readonly type: "ready"; readonly missingSensors: readonly string[] }
  /** It could not be made ready; what is wrong is wrong with the set-up. */
  | { readonly type: "refused"; readonly error: PlainError }
  | { readonly type: "episodes_wanted"; readonly task: string }
  | {
      readonly type: "done";
      readonly job: number;
      readonly line: EpisodeLine;
      /** The packed file. */
      readonly trajectory: Uint8Array | undefined;
      readonly faults: readonly EpisodeFault[];
      readonly geometry: ToldGeometry | undefined;
      /** The episode is over; `filmed` follows. */
      readonly isFilmed: boolean;
    }
  | { readonly type: "filmed"; readonly job: number; readonly film: Filming }
  /** The episode ended in an error that ends the run. */
  | { readonly type: "failed"; readonly job: number; readonly error: PlainError }
  | { readonly type: "closed" };
