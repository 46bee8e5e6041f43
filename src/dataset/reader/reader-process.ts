import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { DataError } from "../../core/errors.js";
import { fromPlainError } from "../../core/plain-error.js";
import type { FromReader, ToReader } from "./messages.js";

export interface ReaderLimits {
  /** Maximum seconds without progress. */
  readonly seconds: number;
  /** Limit of the process's heap, and separately of its WebAssembly memory. */
  readonly megabytes: number;
}

/** The next message from the process, or the reason why there is none. */
type Next =
  | Exclude<FromReader, { readonly type: "progress" }>
  | { readonly type: "lost"; readonly error: DataError };

/**
 * A child process that reads one file at a time. A thread would not do: V8 aborts the whole process when an
 * array grows too large or the heap is full, whichever thread it is in.
 */
export class ReaderProcess {
  readonly #child: ChildProcess;
  readonly #received: Next[] = [];
  readonly #kill = () => void this.#child.kill("SIGKILL");
  #waiting: ((next: Next) => void) | undefined;
  #hasProgressed = false;
  #path = "";
  isLost = false;

  constructor(
    private readonly entry: URL,
    readonly limits: ReaderLimits,
  ) {
    this.#child = fork(fileURLToPath(entry), [], {
      execArgv: [`--max-old-space-size=${limits.megabytes}`],
      serialization: "advanced",
      // V8 prints pages of diagnostics when it aborts; a one-sentence error replaces them.
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    process.once("exit", this.#kill);
    this.#child.on("message", (message: FromReader) => {
      if (message.type === "progress") this.#hasProgressed = true;
      else this.#receive(message);
    });
    this.#child.on("error", (error) => this.#lose(this.#crashed(error.message)));
    this.#child.on("exit", (code, signal) => {
      process.off("exit", this.#kill);
      this.#lose(this.#crashed(signal ?? `exit code ${code}`));
    });
  }

  /** True if the process is idle and matches these settings. */
  isReusable(entry: URL, { seconds, megabytes }: ReaderLimits): boolean {
    const { limits } = this;
    const isSame = seconds === limits.seconds && megabytes === limits.megabytes;
    return !this.isLost && isSame && entry.href === this.entry.href;
  }

  send(message: ToReader): void {
    if (message.type === "read") this.#path = message.source.path;
    // If the process has exited, its exit event reports that.
    if (this.#child.connected) this.#child.send(message, () => {});
  }

  /** @throws the reader's error, or an error that names the exceeded limit */
  async next(): Promise<Exclude<Next, { readonly type: "failed" | "lost" }>> {
    const next = this.#received.shift() ?? (await this.#receiving());
    if (next.type === "lost") throw next.error;
    if (next.type === "failed") throw fromPlainError(next.error);
    return next;
  }

  /** Lets the parent exit while this process is idle. */
  unref(): void {
    this.#child.unref();
    this.#child.channel?.unref();
  }

  end(): void {
    this.#lose(this.#crashed("stopped"));
  }

  #receiving(): Promise<Next> {
    this.#child.ref();
    this.#child.channel?.ref();
    return new Promise((resolve) => {
      this.#hasProgressed = false;
      const watchdog = setInterval(() => {
        if (!this.#hasProgressed) this.#lose(this.#tooSlow());
        this.#hasProgressed = false;
      }, this.limits.seconds * 1000);
      this.#waiting = (next) => {
        clearInterval(watchdog);
        resolve(next);
      };
      // The process may have died while no call was waiting.
      const missed = this.#received.shift();
      if (missed) this.#receive(missed);
    });
  }

  #receive(next: Next): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting) waiting(next);
    else this.#received.push(next);
  }

  #lose(error: DataError): void {
    if (this.isLost) return;
    this.isLost = true;
    this.#kill();
    this.#child.unref();
    this.#receive({ type: "lost", error });
  }

  #tooSlow(): DataError {
    const { seconds } = this.limits;
    return new DataError(
      "reader_timeout",
      `reading made no progress for ${seconds} s and was stopped; the file is probably damaged`,
      {
        where: this.#path,
        hint: `copy or download it again; if it is intact, allow more time: ROBOT_EVAL_READ_SECONDS=${seconds * 10}`,
      },
    );
  }

  #crashed(how: string): DataError {
    const { megabytes } = this.limits;
    return new DataError(
      "reader_crashed",
      `the reader process exited (${how}), probably because it exceeded its memory limit of ${megabytes} MB; the file is probably damaged`,
      {
        where: this.#path,
        hint: `copy or download it again; if it is intact, allow more memory: ROBOT_EVAL_READ_MEMORY_MB=${megabytes * 2}`,
      },
    );
  }
}
