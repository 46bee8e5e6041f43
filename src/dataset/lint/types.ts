import type { BaseEpisode } from "../../core/episode/base.js";
import type { NavGraph } from "../../core/scene/graph.js";
import type { DatasetFormat } from "../format.js";

/**
 * error: results on this episode or dataset would be wrong or impossible.
 * warning: likely a mistake that needs review. info: valid, but worth knowing.
 */
export type Severity = "error" | "warning" | "info";

export interface Problem {
  /** The episode's key, for problems reported by `finish`. */
  readonly episode?: string | undefined;
  /** `start_state.rotation`; null if the problem concerns the dataset. */
  readonly field: string | null;
  readonly value?: unknown;
  /** Includes the numbers. Field and episode are reported separately and not repeated here. */
  readonly message: string;
  readonly hint?: string | undefined;
  /** Overrides the rule's severity. */
  readonly severity?: Severity | undefined;
}

/** A problem as it appears in a report. */
export interface LintFinding {
  readonly code: string;
  readonly severity: Severity;
  /** `<task type>/<scene>/<id>`; null if it concerns the dataset or an unreadable entry. */
  readonly episode: string | null;
  /** The field of the episode, regardless of its name in the file; see docs/datasets.md. */
  readonly field: string | null;
  /** As text, truncated. */
  readonly value: string | null;
  readonly message: string;
  readonly why: string;
  readonly hint?: string;
  /** File and entry of data that could not be read. */
  readonly where?: string;
}

/** What a rule can access besides the episode. */
interface DatasetContext {
  readonly path: string;
  readonly format: Pick<DatasetFormat, "name" | "profile">;
}

export interface LintContext extends DatasetContext {
  /** The episode's number in the file, from 1; unreadable entries are not counted. */
  readonly number: number;
  /** The scene's navigation graph, if available. */
  readonly graph?: NavGraph | undefined;
  /** True if a goal is reachable; undefined if unknown. */
  readonly reachable?: boolean | undefined;
  /** True if the scene's file exists; undefined if no scene folder was given. */
  readonly sceneFound?: boolean | undefined;
  /** Why the scene has no graph although a folder of graphs was given. */
  readonly graphProblem?: string | undefined;
}

/** A lint rule. Each is a file that exports one of these, or a function that creates one. */
export interface LintRule {
  /** Stable identifier: `duplicate_id`. */
  readonly code: string;
  /** The default; a finding may override it. */
  readonly severity: Severity;
  /** Why the problem matters, in one or two sentences. */
  readonly why: string;
  check?(episode: BaseEpisode, context: LintContext): Iterable<Problem>;
  /** Records an episode for `finish`. */
  observe?(episode: BaseEpisode, context: LintContext): void;
  /** Yields the problems that are only known after all episodes. */
  finish?(context: DatasetContext): Iterable<Problem>;
}

/** Creates a rule for each run, because rules may have state. */
export type RuleFactory = () => LintRule;
