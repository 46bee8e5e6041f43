import { Worker } from "node:worker_threads";
import { fromPlainError, type PlainError } from "../../evaluator/plain-error.js";
import type {
  EvaluationHooks,
  EvaluationJob,
  EvaluationOutcome,
  Evaluations,
  RunningEvaluation,
} from "./evaluation-job.js";

/** The program of a thread, beside this file in what is built. */
const ENTRY = new URL("./evaluate-main.js", import.meta.url);

/** How long episodes under way may take to end when a submission is stopped, in milliseconds. */
const STOPPING_MS = 20_000;

/** What a thread says. */
export type FromThread =
  | { readonly type: "progress"; readonly done: number; readonly total: number }
  | { readonly type: "finished"; readonly outcome: EvaluationOutcome }
  | { readonly type: "failed"; readonly error: PlainError };

/**
 * Evaluates each submission in a thread of its own: neither a simulator at work nor one that breaks is felt by the
 * server, nor by other submissions.
 */
export class ThreadEvaluations implements Evaluations {
  readonly #running = new Set<Worker>();

  start(job: EvaluationJob, hooks: EvaluationHooks): RunningEvaluation {
    const { token, ...rest } = job;
    const worker = new Worker(ENTRY, {
      workerData: rest,
      // The relay is a policy that asks for a token, and those come from the environment.
      env: { ...process.env, ROBOT_EVAL_POLICY_TOKEN: token },
      stdout: true,
      stderr: true,
    });
    // What is waited for is told on stderr for people at a terminal; here nobody sits at one.
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
        reject(new Error(`the evaluation's thread ended with ${code}`));
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

  /** Threads end with their server. */
  async leftovers(): Promise<readonly string[]> {
    return [];
  }

  async abandon(): Promise<void> {}

  async close(): Promise<void> {
    await Promise.all([...this.#running].map((worker) => worker.terminate()));
  }
}
