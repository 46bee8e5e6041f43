import { parentPort, workerData } from "node:worker_threads";
import { toPlainError } from "../../../core/plain-error.js";
import { evaluate } from "./evaluate.js";
import type { EvaluationJob } from "./evaluation-job.js";
import type { FromThread } from "./threads.js";

// Entry point of the worker threads that threads.ts starts.
if (!parentPort) throw new Error("this module is the program of a worker thread");
const port = parentPort;
const send = (message: FromThread) => port.postMessage(message);
const stop = new AbortController();
port.on("message", () => stop.abort());
try {
  const onProgress = (done: number, total: number) => send({ type: "progress", done, total });
  const outcome = await evaluate(workerData as EvaluationJob, { onProgress }, stop.signal);
  send({ type: "finished", outcome });
} catch (error) {
  send({ type: "failed", error: toPlainError(error) });
} finally {
  port.close();
}
