import { parentPort, workerData } from "node:worker_threads";
import type { WorkerSetup } from "./worker-messages.js";
import { serve } from "./worker-service.js";

// The program of a worker thread; worker-pool.ts starts it.
if (!parentPort) throw new Error("this module is the program of a worker thread");
await serve(parentPort, workerData as WorkerSetup);
