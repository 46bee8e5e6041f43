import { parentPort, workerData } from "node:worker_threads";
import { toPlainError } from "../../evaluator/plain-error.js";
import { evaluate } from "./evaluate.js";
import type { EvaluationJob } from "./evaluation-job.js";
import type { FromThread } from "./threads.js";

// The program of a submission's thread; threads.ts starts it.
if (!parentPort) throw new Error("this module is the program of a worker thread");
const port = parentPort;
const say = (message: FromThread) => port.postMessage(message);
const stop = new AbortController();
port.on("message", () => stop.abort());
try {
  const onProgress = (done: number, total: number) => say({ type: "progress", done, total });
  const outcome = await evaluate(workerData as EvaluationJob, { onProgress }, stop.signal);
  say({ type: "finished", outcome });
} catch (error) {
  say({ type: "failed", error: toPlainError(error) });
} finally {
  port.close();
}
