import type { BaseEpisode } from "../core/episode/base.js";
import type { DataError } from "../core/errors.js";
import type { Action } from "../core/interfaces/action.js";
import type { GraphSource } from "../core/scene/graph.js";
import type { Place } from "../core/scene/place.js";

/** The beginning of what a path leads to: all that a format may judge by. */
export interface ContentSample {
  /** For error messages and companion files; a name alone proves nothing. */
  readonly path: string;
  /** The first 64 kB, unpacked; empty for a folder. */
  readonly text: string;
  /** The same before it was taken for text: what binary formats show themselves by. */
  readonly bytes: Uint8Array;
  /**
   * What a container holds, sorted: a folder's entries, or the first of an HDF5 file's groups and
   * datasets, two levels down (`data`, `data/demo_0`). Empty for anything else.
   */
  readonly names: readonly string[];
  /** The JSON value that `text` begins with, as far as it goes; undefined when it is not JSON. */
  readonly head: unknown;
  readonly isDirectory: boolean;
}

/** A dataset to be read, and what its format may need besides. */
export interface DatasetSource {
  readonly path: string;
  /** Navigation graphs, for formats that name viewpoints and give no positions. */
  readonly graphs?: GraphSource | undefined;
  /** What the episodes are to be, where the format does not say it itself. */
  readonly taskType?: string | undefined;
  /** The ground-truth file, when it does not lie beside the dataset under its usual name. */
  readonly gtPath?: string | undefined;
  /**
   * Hears of an episode that cannot be read, which is then left out. Without it the first such episode
   * ends the reading: an evaluation on part of a dataset must not pass for one on the whole.
   */
  readonly onBadEpisode?: ((problem: DataError) => void) | undefined;
  /**
   * Takes the episodes whose data is there, of a dataset that lists more than it has files for. Without
   * it, a missing file is an error: see `onBadEpisode`. Damaged data is an error either way.
   */
  readonly partial?: boolean | undefined;
}

/** One way of writing episodes down. A format is one file that exports one of these. */
export interface DatasetFormat {
  /** As in `--format` and in a benchmark's `dataset` section. */
  readonly name: string;
  /** One line, for lists. */
  readonly description: string;
  /** The task types its files are made for, the usual one first; empty when the episodes say it. */
  readonly taskTypes: readonly string[];
  /** The metric profile that numbers on this data are published in. */
  readonly profile: string;
  /** Whether the content is of this format. Must not be true of another format's content. */
  detect(sample: ContentSample): boolean;
  /** In the order of the file. A mistake in the data is a DataError that names episode and field. */
  episodes(source: DatasetSource): AsyncIterable<BaseEpisode>;
  /** How results on this data are handed in, where there is a custom for it. */
  readonly submission?: SubmissionFormat;
}

/** Files in which somebody says what a policy did. */
export interface SubmissionFormat {
  detect(sample: ContentSample): boolean;
  /** What its predictions call an episode, where that is not the episode's id. */
  idOf?(episode: BaseEpisode): string;
  /** What the file says, episode by episode, not yet compared with the dataset. */
  predictions(path: string): AsyncIterable<Prediction>;
  /** Checks a prediction against its episode: it must start there and stay in the scene. */
  trajectory(
    prediction: Prediction,
    episode: BaseEpisode,
    graphs?: GraphSource,
  ): Promise<Submission>;
}

/** One episode's entry in a submission file, as it stands there. */
export interface Prediction {
  /** As the submission has it; see `SubmissionFormat.idOf`. */
  readonly episodeId: string;
  /** Where the file says it; episode ids may repeat across scenes. */
  readonly sceneId?: string | undefined;
  readonly raw: unknown;
  /** File and entry, for errors. */
  readonly where: string;
}

/** What a policy is said to have done in one episode. */
export interface Submission {
  readonly episodeId: string;
  readonly sceneId: string;
  /** The first is the start, with no action; a stop repeats the place where it was called. */
  readonly steps: readonly SubmissionStep[];
  readonly stopped: boolean;
}

export interface SubmissionStep {
  readonly place: Place;
  readonly action: Action | null;
  /** Radians, 0 along -z, counter-clockwise. */
  readonly heading?: number | undefined;
}
