import type { BaseEpisode } from "../core/episode/base.js";
import type { DataError } from "../core/errors.js";
import type { Action } from "../core/interfaces/action.js";
import type { GraphSource } from "../core/scene/graph.js";
import type { ScenePoint } from "../core/scene/scene-point.js";

/** The first bytes of a file or the entries of a folder. Formats detect themselves from this alone. */
export interface ContentSample {
  /** For error messages and companion files. Detection must not rely on the name. */
  readonly path: string;
  /** The first 64 kB, decompressed; empty for a folder. */
  readonly text: string;
  /** The same bytes before decoding as text, for detecting binary formats. */
  readonly bytes: Uint8Array;
  /**
   * The sorted entries of a container: a folder's entries, or an HDF5 file's first groups and datasets, two
   * levels deep (`data`, `data/demo_0`). Empty for anything else.
   */
  readonly names: readonly string[];
  /** The JSON value at the start of `text`, possibly incomplete; undefined if it is not JSON. */
  readonly head: unknown;
  readonly isDirectory: boolean;
}

/** A dataset to read, with the extra inputs that some formats need. */
export interface DatasetSource {
  readonly path: string;
  /** Navigation graphs, for formats that name viewpoints without giving positions. */
  readonly graphs?: GraphSource | undefined;
  /** The task type of the episodes, for formats that do not specify it. */
  readonly taskType?: string | undefined;
  /** The ground-truth file, if it is not beside the dataset under its usual name. */
  readonly gtPath?: string | undefined;
  /**
   * Called with the error of each unreadable episode, which is then skipped. Without it the first such
   * episode throws, so that an evaluation on part of a dataset cannot pass for one on the whole.
   */
  readonly onBadEpisode?: ((problem: DataError) => void) | undefined;
  /**
   * Reads only the episodes whose files exist, for a dataset that lists more than it contains. Without it a
   * missing file is an error: see `onBadEpisode`. Damaged data is always an error.
   */
  readonly partial?: boolean | undefined;
}

/** A dataset format. Each format is one file that exports one of these. */
export interface DatasetFormat {
  /** The name used in `--format` and in a benchmark's `dataset` section. */
  readonly name: string;
  /** One line, shown in lists. */
  readonly description: string;
  /** The task types of its files, the usual one first; empty if each episode names its own. */
  readonly taskTypes: readonly string[];
  /** The metric profile in which results on this dataset are published. */
  readonly profile: string;
  /** True if the content is of this format. Must be false for every other format's content. */
  detect(sample: ContentSample): boolean;
  /**
   * Yields episodes in file order. Throws a DataError that names the episode and field if the data is
   * invalid.
   */
  episodes(source: DatasetSource): AsyncIterable<BaseEpisode>;
  /** The format of submission files, if this dataset has one. */
  readonly submission?: SubmissionFormat;
}

/** Reads submission files, which record a policy's predicted trajectories. */
export interface SubmissionFormat {
  detect(sample: ContentSample): boolean;
  /** The episode's name in predictions, if it differs from the episode's id. */
  idOf?(episode: BaseEpisode): string;
  /** Yields the predictions episode by episode, not yet checked against the dataset. */
  predictions(path: string): AsyncIterable<Prediction>;
  /** Checks a prediction against its episode: it must begin at the start position and stay in the scene. */
  trajectory(
    prediction: Prediction,
    episode: BaseEpisode,
    graphs?: GraphSource,
  ): Promise<Submission>;
}

/** One episode's unprocessed entry in a submission file. */
export interface Prediction {
  /** The id written in the submission; see `SubmissionFormat.idOf`. */
  readonly episodeId: string;
  /** Set if the file gives it, because episode ids may repeat across scenes. */
  readonly sceneId?: string | undefined;
  readonly raw: unknown;
  /** File and entry, for error messages. */
  readonly where: string;
}

/** The recorded behaviour of a policy in one episode. */
export interface Submission {
  readonly episodeId: string;
  readonly sceneId: string;
  /** The first step is the start, without an action. A stop repeats the position at which it was called. */
  readonly steps: readonly SubmissionStep[];
  readonly stopped: boolean;
}

export interface SubmissionStep {
  readonly place: ScenePoint;
  readonly action: Action | null;
  /** Radians, 0 along -z, counter-clockwise. */
  readonly heading?: number | undefined;
}
