import { errorCode, errorMessage } from "../core/errors.js";

/** A thread is gone, and with it what was under way there. */
export class WorkerLost extends Error {
  override readonly name = "WorkerLost";
  readonly code: "worker_crashed" | "worker_hung";
  /** False for a job that was only waiting there: it can be run elsewhere. */
  readonly hadBegun: boolean;
  /** The job that brought it about, where that is known. */
  readonly #culprit: number | undefined;

  private constructor(
    code: WorkerLost["code"],
    message: string,
    details: {
      readonly cause?: unknown;
      readonly culprit?: number;
      readonly hadBegun?: boolean;
    } = {},
  ) {
    super(message, { cause: details.cause });
    this.code = code;
    this.hadBegun = details.hadBegun ?? true;
    this.#culprit = details.culprit;
  }

  /** By an error that nobody caught. */
  static by(cause: unknown): WorkerLost {
    const message =
      errorCode(cause) === "ERR_WORKER_OUT_OF_MEMORY"
        ? "the worker thread ran out of memory"
        : `the worker thread crashed: ${errorMessage(cause)}`;
    return new WorkerLost("worker_crashed", message, { cause });
  }

  /** Something in it called `process.exit`. */
  static exited(code: number): WorkerLost {
    return new WorkerLost("worker_crashed", `the worker thread ended itself with code ${code}`);
  }

  static stopped(): WorkerLost {
    return new WorkerLost("worker_crashed", "the worker thread was stopped");
  }

  static hung(limitMs: number, culprit: number): WorkerLost {
    const message = `the worker thread was stopped: the episode gave no sign for ${limitMs / 1000} s, past its time-out`;
    return new WorkerLost("worker_hung", message, { culprit });
  }

  /** As it concerns one of the jobs that were under way. */
  asSeenBy(job: number): WorkerLost {
    if (this.#culprit === undefined || this.#culprit === job) return this;
    return new WorkerLost(
      "worker_crashed",
      "the worker thread was stopped: another episode under way in it gave no sign past its time-out",
    );
  }

  /** As it concerns one that was waiting for them. */
  asSeenWaiting(): WorkerLost {
    return new WorkerLost(this.code, this.message, { cause: this.cause, hadBegun: false });
  }

  /** For the log. */
  get detail(): string {
    const { cause } = this;
    return cause instanceof Error ? (cause.stack ?? this.message) : this.message;
  }
}
