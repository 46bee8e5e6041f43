import { appendFile } from "node:fs/promises";

/** A line of log.jsonl without its time. */
export interface LogEntry {
  readonly level: "info" | "warning" | "error";
  /** Machine-readable event name: `run_started`, `episode_fault`, ... */
  readonly event: string;
  readonly [detail: string]: unknown;
}

/**
 * log.jsonl: events with times, for debugging. Results do not depend on it, so a failed write is ignored: on a
 * full disk the writes that matter fail with an error.
 */
export class RunLog {
  #queue: Promise<void> = Promise.resolve();

  constructor(private readonly path: string) {}

  add(entry: LogEntry, time = new Date()): void {
    const line = `${JSON.stringify({ time: time.toISOString(), ...entry })}\n`;
    this.#queue = this.#queue.then(() => appendFile(this.path, line)).catch(() => {});
  }

  /** Resolves when all entries are written. */
  close(): Promise<void> {
    return this.#queue;
  }
}
