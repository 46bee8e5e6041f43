import type { RunSummary } from "../../core/interfaces/result.js";

/** One submission's evaluation, as whoever runs it is told. All of it can cross threads. */
export interface EvaluationJob {
  readonly submissionId: string;
  /** The benchmark's file. */
  readonly benchmark: string;
  /** `path=value` each, as of `--set`: how long the relay may take. */
  readonly set: readonly string[];
  readonly limit: number | undefined;
  /** The relay's address of the submission. */
  readonly agent: string;
  /** What the relay asks for. */
  readonly token: string;
  /** Parent folder of the run directory. */
  readonly outDir: string;
  readonly workers: number;
  readonly concurrency: number;
}

export interface EvaluationHooks {
  onProgress(done: number, total: number): void;
}

/** An evaluation under way. */
export interface RunningEvaluation {
  /** Rejects when it could not be carried out at all. */
  readonly finished: Promise<EvaluationOutcome>;
  /** Episodes under way are finished, none is begun; by force after a while. */
  stop(): void;
}

export interface EvaluationOutcome {
  readonly summary: RunSummary;
  readonly runDir: string | null;
}

/** Where submissions are evaluated: in threads, or on the cluster's queue. */
export interface Evaluations {
  start(job: EvaluationJob, hooks: EvaluationHooks): RunningEvaluation;
  /** Names of evaluations that are not over and that nobody here started. */
  leftovers(): Promise<readonly string[]>;
  /** Of a server that died: nothing more is begun of it. */
  abandon(submissionId: string): Promise<void>;
  close(): Promise<void>;
}
