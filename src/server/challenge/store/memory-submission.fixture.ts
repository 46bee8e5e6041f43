import type { SubmissionWrites } from "./retrying-store.js";
import type {
  NewResult,
  Submission,
  SubmissionChange,
  SubmissionResult,
  SubmissionState,
} from "./store.js";

/** One queued submission in memory, with the part of a store that writes it. */
export class MemorySubmission implements SubmissionWrites {
  readonly id: string;
  readonly phase: string;
  /** Every state that it had, in order. */
  readonly states: SubmissionState[] = ["queued"];
  counted = true;
  reason: string | null = null;
  progress: readonly [done: number, total: number] | undefined;
  kept: NewResult | undefined;
  /** Awaited before each write; it may fail like a database. */
  beforeWrite: (() => Promise<void>) | undefined;
  /** Awaited after each write, whose answer is lost if it fails. */
  afterWrite: (() => Promise<void>) | undefined;

  constructor(id: string, phase: string) {
    this.id = id;
    this.phase = phase;
  }

  get state(): SubmissionState {
    return this.states.at(-1) ?? "queued";
  }

  set state(state: SubmissionState) {
    this.states.push(state);
  }

  transition(
    _id: string,
    from: readonly SubmissionState[],
    to: SubmissionState,
    change: SubmissionChange = {},
  ): Promise<Submission | undefined> {
    return this.#write(() => {
      if (!from.includes(this.state)) return undefined;
      this.state = to;
      this.counted = change.counted ?? this.counted;
      if (change.reason !== undefined) this.reason = change.reason;
      return this.#row;
    });
  }

  async submission(): Promise<Submission> {
    return this.#row;
  }

  recordResult(_id: string, result: NewResult): Promise<boolean> {
    return this.#write(() => {
      if (this.state !== "running") return false;
      this.kept = result;
      this.state = result.state;
      this.reason = result.reason;
      return true;
    });
  }

  async result(submissionId: string): Promise<SubmissionResult | undefined> {
    return this.kept && { submissionId, ...this.kept, at: new Date(0) };
  }

  setCounted(_id: string, counted: boolean): Promise<void> {
    return this.#write(() => {
      this.counted = counted;
    });
  }

  setProgress(_id: string, done: number, total: number): Promise<void> {
    return this.#write(() => {
      this.progress = [done, total];
    });
  }

  async #write<T>(write: () => T): Promise<T> {
    await this.beforeWrite?.();
    const written = write();
    await this.afterWrite?.();
    return written;
  }

  get #row(): Submission {
    const { id, phase, state, counted, reason } = this;
    const at = new Date(0);
    return {
      ...{ id, teamId: "t", teamName: "team", phase, name: "", state, counted, reason },
      ...{ episodes: { done: 0, total: null }, runDir: null },
      ...{ createdAt: at, queuedAt: at, startedAt: null, finishedAt: null },
    };
  }
}
