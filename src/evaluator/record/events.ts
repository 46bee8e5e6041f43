import type { EpisodeLine, MetricSummary, Outcome } from "../../core/interfaces/result.js";

/** Progress events of a run. */
export type EvaluationEvent =
  | {
      readonly type: "started";
      readonly runId: string;
      readonly runDir: string | null;
      readonly total: number;
      /** Episodes that were done before the run was resumed. */
      readonly done: number;
      readonly warnings: readonly string[];
    }
  | {
      readonly type: "episode";
      readonly line: EpisodeLine;
      readonly done: number;
      readonly total: number;
      readonly counts: Readonly<Record<Outcome, number>>;
      /** The primary metric of the episode's task so far; computed on demand. */
      readonly running: () =>
        | { readonly metric: string; readonly summary: MetricSummary }
        | undefined;
    };
