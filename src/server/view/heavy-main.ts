import { parentPort } from "node:worker_threads";
import { toPlainError } from "../../core/plain-error.js";
import { HEAVY } from "./heavy-jobs.js";
import type { HeavyAnswer, HeavyQuestion } from "./heavy-thread.js";

// Entry point of the worker threads that heavy-thread.ts starts.
const port = parentPort;
if (!port) throw new Error("this module is the program of a worker thread");
port.on("message", async ({ kind, given }: HeavyQuestion) => {
  port.postMessage(await answer(kind, given));
});

// Preloads the geometry modules without delaying the first job.
void import("./geometry/index.js");

async function answer(kind: HeavyQuestion["kind"], given: unknown): Promise<HeavyAnswer> {
  try {
    // `kind` and its argument match: heavy.ts checks them by type.
    const make = HEAVY[kind] as (given: unknown) => Promise<unknown>;
    return { made: await make(given) };
  } catch (error) {
    return { error: toPlainError(error) };
  }
}
