import type { EpisodeDict } from "../../core/episode/schemas.js";
import type {
  EpisodeLine,
  Outcome,
  RunInfo,
  RunStatus,
  RunSummary,
} from "../../core/interfaces/result.js";
import type { StepRecord } from "../../core/interfaces/step.js";
import type { RunComparison } from "../../runs/compare/documents.js";
import type { StressReport } from "../../runs/stress/documents.js";
import type { SceneRate } from "../../runs/summary/scene-rates.js";

/**
 * All documents of the dashboard. The page imports these types, and a static export contains the same documents as
 * files. Addresses are relative to the page, so that it can be hosted anywhere; `<run>` and `<episode>` are safe in
 * URLs and file systems.
 *
 *   api/runs.json                              RunsDocument
 *   api/stress.json                            StressDocument, if the folder is that of a stress test
 *   api/runs/<run>/run.json                    RunDocument
 *   api/runs/<run>/scenes.json                 ScenesDocument
 *   api/runs/<run>/episodes-<n>.json           EpisodePage, from 0
 *   api/runs/<run>/episodes/<episode>.json     EpisodeDocument
 *   api/runs/<run>/episodes/<episode>.svg      top-down map, or 404
 *   api/runs/<run>/episodes/<episode>.thumb.svg  small picture for the table
 *   api/runs/<run>/episodes/<episode>.track.json  PoseTrack, of manipulation episodes
 *   api/runs/<run>/episodes/<episode>.frames.json FrameStrip: camera images, if available
 *   api/runs/<run>/files/<path>                videos
 *   api/scenes/<scene>.glb                     geometry of a navigation scene, or of a manipulation world
 *   api/compare/<run>..<run>.json              CompareDocument
 *   api/live?since=<revision>                  server-sent events: LiveEvent; not in a static export
 *
 * Errors are a Problem with status 400, 401, 404 or 422; in a static export a missing file is a 404.
 */

/** A run in the list. */
export interface RunCard {
  /** The folder's name: `<run>` in addresses. */
  readonly id: string;
  readonly benchmark: string;
  readonly agent: string;
  /** The run's name and tags, if the user gave any. */
  readonly name?: string | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** What its policies declared, by task; foreign text. */
  readonly policies?: RunInfo["policies"];
  /** The same in one line. */
  readonly policy?: string;
  readonly kind: RunInfo["kind"];
  /** `stale`: the status is `running`, but no process writes the run. */
  readonly status: RunStatus | "stale";
  readonly started_at: string;
  readonly finished_at: string | null;
  readonly seed: number;
  readonly headlines: readonly Headline[];
  readonly episodes: RunSummary["episodes"];
  /** Number of planned episodes; null if unknown. */
  readonly planned: number | null;
  /** Only if part of a dataset was scored. */
  readonly partial?: NonNullable<RunInfo["partial"]>;
  readonly warnings: number;
}

/** The primary metric of one task. */
export interface Headline {
  readonly task: string;
  readonly metric: string;
  readonly mean: number | null;
  readonly ci95: readonly [number, number] | null;
  readonly count: number;
  readonly n_invalid: number;
}

export interface RunsDocument {
  /** Newest first. */
  readonly runs: readonly RunCard[];
  /** Folders that look like runs and cannot be read. */
  readonly damaged: readonly { readonly id: string; readonly problem: Problem }[];
  /** True if the folder is that of a stress test: `api/stress.json` exists. */
  readonly stress: boolean;
  /** True if a server answers: `api/live` exists, and any pair can be compared. */
  readonly live: boolean;
  /** Start of `api/live?since=<revision>`; null in a static export. */
  readonly revision: string | null;
}

/** The stress test of the folder. */
export interface StressDocument {
  readonly report: StressReport;
  /** `<episode>` in addresses of both sides of the telling episodes. */
  readonly ids: readonly {
    readonly key: string;
    readonly repeat: number;
    readonly id: string;
  }[];
}

/** A run without its episodes. */
export interface RunDocument {
  readonly card: RunCard;
  readonly info: RunInfo;
  readonly summary: RunSummary;
  /** How to display each metric. */
  readonly metrics: Readonly<Record<string, MetricNote>>;
}

/** Success rate by scene, worst first, for tasks with several scenes. */
export type ScenesDocument = Readonly<Record<string, readonly SceneRate[]>>;

export interface MetricNote {
  readonly summary: string;
  readonly unit: string;
  readonly direction: "higher" | "lower" | "none";
  readonly range: readonly [number | null, number | null];
}

/** Some of a run's episodes, in the order of episodes.jsonl. */
export interface EpisodePage {
  readonly rows: readonly EpisodeRow[];
  /** Current number of pages. */
  readonly pages: number;
}

export interface EpisodeRow {
  /** `<episode>` in addresses: key and repeat. */
  readonly id: string;
  readonly key: string;
  readonly repeat: number;
  readonly task: string;
  readonly scene: string;
  readonly outcome: Outcome;
  readonly fault: string | null;
  readonly end_reason: string;
  readonly metrics: Readonly<Record<string, number | null>>;
  readonly steps: number;
  readonly wall_ms: number;
  readonly latency_p50_ms: number | null;
  readonly explanation: string;
  /** True if its trajectory was saved. */
  readonly recorded: boolean;
  readonly video: string | null;
}

export interface EpisodeDocument {
  readonly id: string;
  readonly line: EpisodeLine;
  readonly episode: EpisodeDict;
  readonly family: string;
  readonly instruction: string | null;
  readonly records: readonly StepRecord[];
  readonly events: readonly EpisodeEvent[];
  readonly why: readonly MetricWhy[];
  /** `<scene>` in addresses; null if there is no geometry. */
  readonly scene: string | null;
  /** Why there is no geometry. */
  readonly scene_note: string | null;
  /** Positions in metres, y up. */
  readonly reference_path: readonly (readonly [number, number, number])[];
  readonly goals: readonly (readonly [number, number, number])[];
  /** Names of the components of actions and `qpos`, as far as known. */
  readonly dimensions: { readonly action: readonly string[]; readonly qpos: readonly string[] };
  /** Such as `joint_position`; null for actions that are names. */
  readonly control_mode: string | null;
  readonly has_map: boolean;
  readonly has_track: boolean;
  readonly has_frames: boolean;
  /** Command that runs the episode again. */
  readonly rerun: string;
  /** Command that replays the recorded actions. */
  readonly replay: string;
}

/** An event at a step. */
export interface EpisodeEvent {
  readonly step: number;
  readonly kind: "collision" | "grasp" | "drop" | "stage" | "stop" | "success" | "end";
  /** Such as the stage's name. */
  readonly detail: string;
}

/** The explanation of a metric's value. */
export interface MetricWhy {
  readonly metric: string;
  readonly value: number | null;
  /** Such as `SPL = S × l / max(l, p)`; null if there is no explanation. */
  readonly formula: string | null;
  /** `1 × 8.2 / max(8.2, 11.4) = 0.72` */
  readonly substituted: string | null;
  /** Terms of the formula, with units. */
  readonly terms: readonly {
    readonly name: string;
    readonly value: number;
    readonly unit: string;
  }[];
}

/** Poses of the bodies of a manipulation world at each step; the glb has nodes with the same names. */
export interface PoseTrack {
  readonly bodies: readonly string[];
  readonly steps: number;
  /**
   * Base64 of little-endian float32, steps × bodies × 7: x, y, z, qx, qy, qz, qw; metres, z up as in
   * MuJoCo. The glb's root node turns z up into glTF's y up.
   */
  readonly poses: string;
}

/** Camera pictures at some steps. */
export interface FrameStrip {
  readonly sensors: readonly string[];
  readonly frames: readonly {
    readonly step: number;
    /** Data URIs of WebP pictures, keyed by sensor. */
    readonly images: Readonly<Record<string, string>>;
  }[];
}

export type LiveEvent =
  | { readonly type: "run"; readonly card: RunCard }
  | { readonly type: "gone"; readonly id: string };

export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly where: string | null;
  readonly hint: string | null;
}

/** Comparison of two runs; the first is the baseline. */
export interface CompareDocument {
  readonly comparison: RunComparison;
  /** Episodes that were judged in both runs. */
  readonly episodes: readonly ComparedEpisode[];
}

export interface ComparedEpisode {
  readonly key: string;
  readonly task: string;
  /** `<episode>` of the first repeat in either run. */
  readonly id: string;
  readonly a: ComparedSide;
  readonly b: ComparedSide;
}

export interface ComparedSide {
  readonly outcome: Outcome;
  readonly metrics: Readonly<Record<string, number | null>>;
}
