import type { ColorImage } from "../../core/interfaces/observation.js";
import type { EpisodeLine, RunInfo } from "../../core/interfaces/result.js";
import type { LerobotVersion } from "../../dataset/lerobot/writer.js";
import type { Registries } from "../../registry/registries.js";
import type { RunDirectory } from "../directory/run-directory.js";

export type Only = "success" | "failure" | "all";

/** Renders an episode's images again, one state at a time. */
export type EpisodeImages = (line: EpisodeLine) => AsyncIterable<ReadonlyMap<string, ColorImage>>;

/** Options that only some formats use. */
export interface ExportChoices {
  /** Default `all`. */
  readonly only?: Only | undefined;
  /** An episode key, or an id that is unique in the run. */
  readonly episode?: string | undefined;
  /** The repeat of that episode; default 0. */
  readonly repeat?: number | undefined;
  /** Steps per second, for simulators without a clock. */
  readonly fps?: number | undefined;
  /** Version of LeRobot's format; default 3.0. */
  readonly lerobotVersion?: LerobotVersion | undefined;
  /** The images of the states in which an action was taken, by camera; without it, none are exported. */
  readonly images?: EpisodeImages | undefined;
  /** Omits episodes that a submission cannot contain instead of rejecting the export. */
  readonly partial?: boolean | undefined;
}

/** An export format. Each format is one file that exports an object of this type. */
export interface ExportFormat {
  /** The value of `--to`. */
  readonly name: string;
  /** One line for help. */
  readonly description: string;
  /** Whether `out` names a file or a folder. */
  kind(choices: ExportChoices): "file" | "folder";
  /** The options that this format uses; any other is rejected. */
  readonly takes: readonly (keyof ExportChoices)[];
  /** True if the folder at `out` is an export of this format, so that it is safe to replace. */
  owns?(out: string): Promise<boolean>;
  /** @param to the file to write, or an existing empty folder to fill */
  write(source: ExportSource, to: string): Promise<Exported>;
}

export interface ExportSource {
  readonly run: RunDirectory;
  readonly info: RunInfo;
  readonly choices: ExportChoices;
  readonly registries: Registries;
  /** The selected lines in the order in which they finished. Can be called repeatedly. */
  lines(): AsyncIterable<EpisodeLine>;
  /** Adds a note for the user to the report. */
  note(text: string): void;
}

export interface Exported {
  /** Exported lines of episodes.jsonl, one per repeat of an episode. */
  readonly episodes: number;
  /** Selected lines that were not exported. */
  readonly left_out?: number;
  /** Number of steps, for formats that count them. */
  readonly frames?: number;
}
