import { errorCode, errorMessage } from "../../core/errors.js";

/** A worker thread ended while it had jobs. */
export class WorkerLost extends Error {
  override readonly name = "WorkerLost";
  readonly code: "worker_crashed" | "worker_hung";
  /** False if the job was only queued in the thread; another thread can run it. */
  readonly hadBegun: boolean;
  /** The job that caused it, if known. */
  readonly #cause: number | undefined;

  private constructor(
    code: WorkerLost["code"],
    message: string,
    details: {
      readonly cause?: unknown;
      readonly causedBy?: number;
      readonly hadBegun?: boolean;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.code = code;
    this.hadBegun = details.hadBegun ?? true;
    this.#cause = details.causedBy;
  }

  /** An uncaught error ended the thread. */
  static by(cause: unknown): WorkerLost {
    const message =
      errorCode(cause) === "ERR_WORKER_OUT_OF_MEMORY"
        ? "the worker thread ran out of memory"
        : `the worker thread crashed: ${errorMessage(cause)}`;
    return new WorkerLost("worker_crashed", message, { cause });
  }

  /** Code in the thread called `process.exit`. */
  static exited(code: number): WorkerLost {
    return new WorkerLost("worker_crashed", `the worker thread exited with code ${code}`);
  }

  static stopped(): WorkerLost {
    return new WorkerLost("worker_crashed", "the worker thread was stopped");
  }

  static hung(limitMs: number, causedBy: number): WorkerLost {
    const message = `the worker thread was stopped: the episode did not end within ${limitMs / 1000} s, past its timeout`;
    return new WorkerLost("worker_hung", message, { causedBy });
  }

  /** The error for one of the running jobs. */
  asSeenBy(job: number): WorkerLost {
    if (this.#cause === undefined || this.#cause === job) return this;
    return new WorkerLost(
      "worker_crashed",
      "the worker thread was stopped: another episode in it exceeded its timeout",
    );
  }

  /** The error for a job that was queued in the thread. */
  asSeenWaiting(): WorkerLost {
    return new WorkerLost(this.code, this.message, { cause: this.cause, hadBegun: false });
  }

  /** For the log. */
  get detail(): string {
    const { cause } = this;
    return cause instanceof Error ? (cause.stack ?? this.message) : this.message;
  }
}
