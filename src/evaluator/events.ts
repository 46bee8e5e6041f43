import type { EpisodeLine, MetricSummary, Outcome } from "../core/interfaces/result.js";

/** What an evaluation tells while it runs. */
export type EvaluationEvent =
  | {
      readonly type: "started";
      readonly runId: string;
      readonly runDir: string | null;
      readonly total: number;
      /** What was there already, when a run is taken up again. */
      readonly done: number;
      readonly warnings: readonly string[];
    }
  | {
      readonly type: "episode";
      readonly line: EpisodeLine;
      readonly done: number;
      readonly total: number;
      readonly counts: Readonly<Record<Outcome, number>>;
      /** The primary metric of the episode's task so far; worked out only when asked. */
      readonly running: () =>
        | { readonly metric: string; readonly summary: MetricSummary }
        | undefined;
    };
