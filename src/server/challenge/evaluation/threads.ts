import { Worker } from "node:worker_threads";
import { fromPlainError, type PlainError } from "../../../core/plain-error.js";
import type {
  EvaluationHooks,
  EvaluationJob,
  EvaluationOutcome,
  Evaluations,
  RunningEvaluation,
} from "./evaluation-job.js";

/** Entry point of a thread; exists in the build only. */
const ENTRY = new URL("./evaluate-main.js", import.meta.url);

/** How long running episodes may take to end when a submission is stopped, in milliseconds. */
const STOPPING_MS = 20_000;

/** Messages from a thread. */
export type FromThread =
  | { readonly type: "progress"; readonly done: number; readonly total: number }
  | { readonly type: "finished"; readonly outcome: EvaluationOutcome }
  | { readonly type: "failed"; readonly error: PlainError };

/**
 * Evaluates each submission in its own thread, so that a busy or crashing simulator affects neither the server nor
 * other submissions.
 */
export class ThreadEvaluations implements Evaluations {
  readonly #running = new Set<Worker>();

  start(job: EvaluationJob, hooks: EvaluationHooks): RunningEvaluation {
    const { token, ...rest } = job;
    const worker = new Worker(ENTRY, {
      workerData: rest,
      // The evaluator reads the relay's token from the environment.
      env: { ...process.env, ROBOT_EVAL_POLICY_TOKEN: token },
      stdout: true,
      stderr: true,
    });
    // Discards progress messages for a terminal.
    worker.stdout.resume();
    worker.stderr.resume();
    this.#running.add(worker);
    let force: NodeJS.Timeout | undefined;
    const finished = new Promise<EvaluationOutcome>((resolve, reject) => {
      worker.on("message", (message: FromThread) => {
        if (message.type === "progress") hooks.onProgress(message.done, message.total);
        else if (message.type === "finished") resolve(message.outcome);
        else reject(fromPlainError(message.error));
      });
      worker.on("error", reject);
      worker.on("exit", (code) => {
        clearTimeout(force);
        this.#running.delete(worker);
        reject(new Error(`the evaluation's thread exited with code ${code}`));
      });
    });
    return {
      finished,
      stop() {
        worker.postMessage("stop");
        force ??= setTimeout(() => void worker.terminate(), STOPPING_MS).unref();
      },
    };
  }

  /** Always empty: threads end with their server. */
  async leftovers(): Promise<readonly string[]> {
    return [];
  }

  async abandon(): Promise<void> {}

  async close(): Promise<void> {
    await Promise.all([...this.#running].map((worker) => worker.terminate()));
  }
}
