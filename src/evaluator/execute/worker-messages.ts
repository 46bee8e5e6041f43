import type { ConfigDocument } from "../../config/schema.js";
import type { EpisodeDict } from "../../core/episode/schemas.js";
import type { EpisodeLine } from "../../core/interfaces/result.js";
import type { PlainError } from "../../core/plain-error.js";
import type { PolicyIdentities } from "../../core/policy-identity.js";
import type { Filming, VideoChoice } from "../record/video/film.js";
import type { EpisodeFault } from "./worker-pool.js";
import type { ReportedGeometry } from "./world-geometry.js";

/**
 * Messages between the main thread and a worker. Both run the same code in one process, so they are not
 * validated.
 */

/** What a worker needs to build the same plan without reading the datasets again. */
export interface WorkerSetup {
  readonly benchmark: {
    readonly text: string;
    readonly file: string;
    readonly baseDir: string;
    readonly within: string | undefined;
    /** After `--set`. */
    readonly document: ConfigDocument;
  };
  readonly agent: string;
  readonly seed: number;
  readonly savesTrajectories: boolean;
  readonly keepsGeometry?: boolean | undefined;
  readonly video: VideoChoice | undefined;
  /** Episodes that the worker runs at once. */
  readonly concurrency: number;
  /** See `SessionTools`. */
  readonly connectWithinMs?: number | undefined;
  /** A sample episode of each task that has any in this run. */
  readonly samples: Readonly<Record<string, EpisodeDict>>;
}

export type ToWorker =
  /** The first message. A thread may be started, and load its program, before the set-up is known. */
  | { readonly type: "setup"; readonly setup: WorkerSetup }
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
  /** The run directory exists: simulators write their logs here from now on. */
  | { readonly type: "logs"; readonly folder: string }
  | { readonly type: "close" };

export type FromWorker =
  | {
      readonly type: "ready";
      readonly missingSensors: readonly string[];
      readonly policies: PolicyIdentities;
    }
  /** The worker could not be set up: the benchmark or its plugins are wrong. */
  | { readonly type: "refused"; readonly error: PlainError }
  | { readonly type: "episodes_wanted"; readonly task: string }
  /** A simulator has reset an episode for the first time. */
  | { readonly type: "first_reset" }
  | {
      readonly type: "done";
      readonly job: number;
      readonly line: EpisodeLine;
      /** The packed file. */
      readonly trajectory: Uint8Array | undefined;
      readonly faults: readonly EpisodeFault[];
      readonly geometry: ReportedGeometry | undefined;
      /** A `filmed` message follows. */
      readonly isFilmed: boolean;
    }
  | { readonly type: "filmed"; readonly job: number; readonly film: Filming }
  /** An error that ends the run. */
  | { readonly type: "failed"; readonly job: number; readonly error: PlainError }
  | { readonly type: "closed" };
