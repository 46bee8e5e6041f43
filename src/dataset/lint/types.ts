import type { BaseEpisode } from "../../core/episode/base.js";
import type { NavGraph } from "../../core/scene/graph.js";
import type { DatasetFormat } from "../format.js";

/**
 * error: results on this episode, or on the dataset, would be wrong or impossible.
 * warning: likely a mistake; a person should look. info: no mistake, but good to know.
 */
export type Severity = "error" | "warning" | "info";

/** One thing that a rule has to say. */
export interface Problem {
  /** The episode's key, where it is not the one being checked: what is said at the end. */
  readonly episode?: string | undefined;
  /** `start_state.rotation`; null when it is about the dataset. */
  readonly field: string | null;
  readonly value?: unknown;
  /** With the numbers. Field and episode stand beside it and need not be said again. */
  readonly message: string;
  readonly hint?: string | undefined;
  /** Where it is not the rule's usual one. */
  readonly severity?: Severity | undefined;
}

/** A problem as it stands in a report. */
export interface LintFinding {
  readonly code: string;
  readonly severity: Severity;
  /** `<task type>/<scene>/<id>`; null when it is about the dataset, or when no episode could be made. */
  readonly episode: string | null;
  /** In the episode, whatever the file calls it; see docs/datasets.md. */
  readonly field: string | null;
  /** As text, shortened. */
  readonly value: string | null;
  readonly message: string;
  /** Why it matters. */
  readonly why: string;
  readonly hint?: string;
  /** File and entry, for what could not be read. */
  readonly where?: string;
}

/** What a rule may look at besides the episode. */
interface DatasetContext {
  readonly path: string;
  readonly format: Pick<DatasetFormat, "name" | "profile">;
}

export interface LintContext extends DatasetContext {
  /** The episode's number in the file, from 1; entries that cannot be read are not counted. */
  readonly number: number;
  /** The scene's navigation graph, where one is at hand. */
  readonly graph?: NavGraph | undefined;
  /** Whether there is a way to a goal, where somebody who knows the scene was asked. */
  readonly reachable?: boolean | undefined;
  /** Whether the scene's file is there; undefined when nobody said where to look. */
  readonly sceneFound?: boolean | undefined;
  /** Why there is no graph of the scene although there is a folder of graphs. */
  readonly graphProblem?: string | undefined;
}

/** One thing to look for. A rule is a file that exports one of these, or a function that makes one. */
export interface LintRule {
  /** Stable: `duplicate_id`. */
  readonly code: string;
  /** The usual one; a finding may differ. */
  readonly severity: Severity;
  /** Why anybody should care, in a sentence or two. */
  readonly why: string;
  /** What can be said of one episode. */
  check?(episode: BaseEpisode, context: LintContext): Iterable<Problem>;
  /** Takes note of an episode, for `finish`. */
  observe?(episode: BaseEpisode, context: LintContext): void;
  /** What can be said only when all episodes were seen. */
  finish?(context: DatasetContext): Iterable<Problem>;
}

/** Rules that remember what they saw are made anew for each run. */
export type RuleFactory = () => LintRule;
