import type { EpisodeError, Fault, Outcome } from "../../core/interfaces/result.js";
import type { MetricValues } from "../../core/metric/scorer.js";
import type { ContentSample } from "../format.js";

/** Additional inputs for reading results. */
export interface ResultsOptions {
  /**
   * Maps our field names to the file's columns, for formats with configurable columns: `{ episode_id: "id"
   * }`.
   */
  readonly columns?: Readonly<Record<string, string>> | undefined;
  /** The task's name, if the file does not name its tasks. */
  readonly task?: string | undefined;
  /** Called with problems that do not prevent reading the file. */
  readonly onWarning?: ((text: string) => void) | undefined;
}

/**
 * A format of per-episode results. Unlike a submission, such a file contains metrics computed by another
 * tool: they are used unchanged, under the profile `imported`.
 */
export interface ResultsFormat {
  /** The name used in `--format`. */
  readonly name: string;
  /** One line, shown in lists. */
  readonly description: string;
  /** True if the content is of this format. Must be false for every other format's content. */
  detect(sample: ContentSample): boolean;
  /**
   * Yields episodes in file order. The whole file is checked, so callers must discard earlier episodes if
   * it throws a DataError.
   */
  read(path: string, options: ResultsOptions): AsyncIterable<ImportedEpisode>;
}

/** The result of one episode, as reported by another tool. */
export interface ImportedEpisode {
  readonly episodeId: string;
  /** A group of episodes within the task; `unknown` if the file does not report it. */
  readonly sceneId: string;
  readonly task: string;
  readonly taskType: string;
  readonly outcome: Outcome;
  readonly fault?: Fault;
  readonly endReason: string;
  /** Includes `success`; empty if the episode is invalid. */
  readonly metrics: MetricValues;
  /** 0 if the file does not report it. */
  readonly steps: number;
  /** 0 if the file does not report it. */
  readonly wallMs: number;
  readonly error?: EpisodeError;
  readonly explanation: string;
  /** File and entry, for error messages. */
  readonly where: string;
}

/** The metric that determines the outcome of an imported episode. */
export const SUCCESS = "success";

/** The scene of episodes whose file does not name one. */
export const UNKNOWN_SCENE = "unknown";
