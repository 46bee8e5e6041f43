import { appendFile } from "node:fs/promises";

/** A line of log.jsonl, beside its time. */
export interface LogEntry {
  readonly level: "info" | "warning" | "error";
  /** What happened, in a word that programs can look for: `run_started`, `episode_fault`, ... */
  readonly event: string;
  readonly [detail: string]: unknown;
}

/**
 * log.jsonl: what happened when, for people who look for a cause. Results do not depend on it, so a log
 * that cannot be written costs nothing else: what matters on a full disk fails by itself, and loudly.
 */
export class RunLog {
  readonly #path: string;
  #queue: Promise<void> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  add(entry: LogEntry, time = new Date()): void {
    const line = `${JSON.stringify({ time: time.toISOString(), ...entry })}\n`;
    this.#queue = this.#queue.then(() => appendFile(this.#path, line)).catch(() => {});
  }

  /** Everything that was added is written. */
  close(): Promise<void> {
    return this.#queue;
  }
}
