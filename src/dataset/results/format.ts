import type { EpisodeError, Fault, Outcome } from "../../core/interfaces/result.js";
import type { MetricValues } from "../../core/metric/scorer.js";
import type { ContentSample } from "../format.js";

/** What reading may need besides the file. */
export interface ResultsOptions {
  /** Our name to the file's, for formats whose columns anybody may name: `{ episode_id: "id" }`. */
  readonly columns?: Readonly<Record<string, string>> | undefined;
  /** What to call the task, where the file does not name its tasks itself. */
  readonly task?: string | undefined;
  /** Hears what does not keep the file from being read but should be known. */
  readonly onWarning?: ((text: string) => void) | undefined;
}

/**
 * One way of writing down how each episode came out. Unlike a submission, such a file holds numbers
 * that somebody else computed: they are taken as they are, under the profile `imported`.
 */
export interface ResultsFormat {
  /** As in `--format`. */
  readonly name: string;
  /** One line, for lists. */
  readonly description: string;
  /** Whether the content is of this format. Must not be true of another format's content. */
  detect(sample: ContentSample): boolean;
  /**
   * In the order of the file, which is checked to its end: whoever keeps what came before a DataError
   * must be ready to drop it.
   */
  read(path: string, options: ResultsOptions): AsyncIterable<ImportedEpisode>;
}

/** How one episode came out, in the words of whoever ran it. */
export interface ImportedEpisode {
  readonly episodeId: string;
  /** What episodes share beside the task; `unknown` where the file does not say. */
  readonly sceneId: string;
  readonly task: string;
  readonly taskType: string;
  readonly outcome: Outcome;
  readonly fault?: Fault;
  readonly endReason: string;
  /** `success` is among them; empty when the episode is invalid. */
  readonly metrics: MetricValues;
  /** 0 where the file does not say. */
  readonly steps: number;
  /** 0 where the file does not say. */
  readonly wallMs: number;
  readonly error?: EpisodeError;
  readonly explanation: string;
  /** File and entry, for errors. */
  readonly where: string;
}

/** The metric that decides the outcome of an imported episode. */
export const SUCCESS = "success";

/** The scene of episodes whose file names none. */
export const UNKNOWN_SCENE = "unknown";
