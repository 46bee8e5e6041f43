import { Worker } from "node:worker_threads";
import { toPlainError } from "../../core/plain-error.js";
import type { DatasetSource } from "../format.js";
import { READER_JOBS } from "./jobs.js";
import { type FromReader, type PlainSource, SENT_AHEAD, type ToReader } from "./messages.js";
import { onProgress } from "./progress.js";

// The program of the child processes that reader-process.ts starts.

/** Frequent enough for limits of seconds, and rare enough to be cheap. */
const PROGRESS_MS = 250;

/** Kills this process when its parent has exited, even if a library is stuck in an endless loop. */
const WATCHDOG = `
const { ppid } = process;
setInterval(() => { if (process.ppid !== ppid) process.kill(process.pid, "SIGKILL"); }, 1000);`;

let credits = SENT_AHEAD;
let onCredit: (() => void) | undefined;

process.on("message", (message: ToReader) => {
  if (message.type === "read") void read(message);
  else {
    credits++;
    onCredit?.();
  }
});
process.on("disconnect", () => process.exit());
// Ctrl-C reaches every process of a terminal. The parent decides whether to stop reading.
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {});
new Worker(WATCHDOG, { eval: true }).unref();

let lastSent = 0;
onProgress(() => {
  const now = performance.now();
  if (now - lastSent < PROGRESS_MS) return;
  lastSent = now;
  send({ type: "progress" });
});

/** Sends synchronously, so that it works in code that does not return to the event loop. */
function send(message: FromReader): void {
  process.send?.(message);
}

async function read({
  job,
  source,
  wasmBytes,
}: ToReader & { readonly type: "read" }): Promise<void> {
  limitWasm(wasmBytes);
  credits = SENT_AHEAD;
  try {
    for await (const value of READER_JOBS[job](fullSource(source))) {
      while (credits === 0) await untilCredit();
      credits--;
      send({ type: "value", value });
    }
    send({ type: "end" });
  } catch (error) {
    send({ type: "failed", error: toPlainError(error) });
  }
}

function fullSource({ reportsBad, ...source }: PlainSource): DatasetSource {
  if (!reportsBad) return source;
  return {
    ...source,
    onBadEpisode: (problem) => send({ type: "bad", error: toPlainError(problem) }),
  };
}

function untilCredit(): Promise<void> {
  return new Promise((resolve) => {
    onCredit = resolve;
  });
}

/** The part of `WebAssembly.Memory` used here; its types are only in the DOM library. */
interface WasmMemory {
  readonly buffer: ArrayBufferLike;
  grow(pages: number): number;
}

const { Memory }: { Memory: { prototype: WasmMemory } } = Reflect.get(globalThis, "WebAssembly");
const { grow } = Memory.prototype;

/** The heap limit does not count WebAssembly memory. The C libraries treat a failed growth as a failed malloc. */
function limitWasm(bytes: number): void {
  Memory.prototype.grow = function (this: WasmMemory, pages) {
    if (this.buffer.byteLength + pages * 2 ** 16 > bytes) throw new RangeError("memory limit");
    return grow.call(this, pages);
  };
}
