import type { EpisodeLine, RunInfo } from "../../core/interfaces/result.js";
import type { Registries } from "../../registry/registries.js";
import type { RunDirectory } from "../run-directory.js";

/** Which episodes, by how they came out. */
export type Only = "success" | "failure" | "all";

/** What not every format has a use for. */
export interface ExportChoices {
  /** Default `all`. */
  readonly only?: Only | undefined;
  /** An episode's key, or an id that only one episode has. */
  readonly episode?: string | undefined;
  /** Which repeat of that episode; default 0. */
  readonly repeat?: number | undefined;
  /** Steps a second, where the simulator has no clock. */
  readonly fps?: number | undefined;
  /** Leaves out episodes that a submission cannot hold, where it would otherwise be refused. */
  readonly partial?: boolean | undefined;
}

/** A form in which the results of a run can be handed on. A format is one file that exports one of these. */
export interface ExportFormat {
  /** As in `--to`. */
  readonly name: string;
  /** One line, for help. */
  readonly description: string;
  /** Whether `out` names a file or a folder. */
  kind(choices: ExportChoices): "file" | "folder";
  /** The choices that mean something here; any other is refused. */
  readonly takes: readonly (keyof ExportChoices)[];
  /** Whether the folder that stands at `out` is of this format, so that replacing it destroys nothing else. */
  owns?(out: string): Promise<boolean>;
  /** @param to the file to write, or the folder to fill, which is there and empty */
  write(source: ExportSource, to: string): Promise<Exported>;
}

/** A run that is being exported. */
export interface ExportSource {
  readonly run: RunDirectory;
  readonly info: RunInfo;
  readonly choices: ExportChoices;
  readonly registries: Registries;
  /** The lines that were asked for, in the order in which they finished; may be asked for again. */
  lines(): AsyncIterable<EpisodeLine>;
  /** What the user should know of the result. */
  note(text: string): void;
}

export interface Exported {
  /** Lines of episodes.jsonl that are in the result: each repeat of an episode is one. */
  readonly episodes: number;
  /** Lines that were asked for and are not in it. */
  readonly left_out?: number;
  /** Steps, where the format counts them. */
  readonly frames?: number;
}
