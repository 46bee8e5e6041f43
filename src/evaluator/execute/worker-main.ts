import { parentPort } from "node:worker_threads";
import { serve } from "./worker-service.js";

// Entry module of a worker thread; thread-pool.ts starts it.
if (!parentPort) throw new Error("this module must run in a worker thread");
serve(parentPort);
