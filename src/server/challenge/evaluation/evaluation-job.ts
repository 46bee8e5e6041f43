import type { RunResults, RunSummary } from "../../../core/interfaces/result.js";

/** Parameters of one submission's evaluation. Plain data that can be sent to a thread. */
export interface EvaluationJob {
  readonly submissionId: string;
  /** The benchmark's file. */
  readonly benchmark: string;
  /** Overrides of the benchmark, each `path=value` as for `--set`. */
  readonly set: readonly string[];
  readonly limit: number | undefined;
  /** The submission's URL at the relay. */
  readonly agent: string;
  /** Token for the relay. */
  readonly token: string;
  /** Parent folder of the run directory. */
  readonly outDir: string;
  readonly workers: number;
  readonly concurrency: number;
}

export interface EvaluationHooks {
  onProgress(done: number, total: number): void;
}

/** A running evaluation. */
export interface RunningEvaluation {
  /** Rejects if the evaluation could not be carried out. */
  readonly finished: Promise<EvaluationOutcome>;
  /** Starts no more episodes and finishes the running ones, which are killed after a timeout. */
  stop(): void;
}

export interface EvaluationOutcome {
  readonly summary: RunSummary;
  readonly runDir: string | null;
}

/** Where submissions are evaluated: in threads, or on the cluster's queue. */
export interface Evaluations {
  /** Continues an earlier attempt that a host fault ended; its finished episodes are kept. */
  start(job: EvaluationJob, hooks: EvaluationHooks): RunningEvaluation;
  /** Ids of submissions whose evaluation was started by an earlier server and has not ended. */
  leftovers(): Promise<readonly string[]>;
  /** Cancels an evaluation that an earlier server started. */
  abandon(submissionId: string): Promise<void>;
  close(): Promise<void>;
}

export function outcomeOf({ run_dir: runDir, ...summary }: RunResults): EvaluationOutcome {
  return { summary, runDir };
}
