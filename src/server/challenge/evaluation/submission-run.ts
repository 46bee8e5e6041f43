import { setTimeout as sleep } from "node:timers/promises";
import type { RunSummary } from "../../../core/interfaces/result.js";
import type { PhaseConfig } from "../config.js";
import type { TeamAgent } from "../gateway/team-agent.js";
import type { LoadedChallenge, LoadedPhase } from "../load.js";
import { Anonymiser } from "../proxy/anonymiser.js";
import type { Relay } from "../proxy/relay.js";
import { relaySettings } from "../proxy/relay.js";
import type { Readiness } from "../readiness.js";
import type { RetryingStore } from "../store/retrying-store.js";
import type { SubmissionLog } from "../submission-log.js";
import type { Evaluations, RunningEvaluation } from "./evaluation-job.js";
import { type ResultRecorder, SERVER_STOPPED } from "./result-recorder.js";
import { type Attempt, type HostFault, hostFault } from "./verdict.js";

/** Attempts per submission when the host is at fault. */
const MOST_ATTEMPTS = 3;
const RETRY_MS = 1000;
/** Node's timers overflow beyond this and fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface SubmissionRunOptions {
  readonly loaded: Pick<LoadedChallenge, "config" | "phase">;
  readonly store: Pick<RetryingStore, "move">;
  readonly log: Pick<SubmissionLog, "add">;
  readonly outcomes: Pick<ResultRecorder, "finished" | "failed">;
  readonly relay: Pick<Relay, "offer" | "address">;
  readonly relayToken: string;
  readonly evaluations: Pick<Evaluations, "start">;
  readonly readiness: Pick<Readiness, "problem" | "recheck">;
  /** Key of the anonymiser. */
  readonly secret: Buffer;
  /** Folder of run directories. */
  readonly runs: string;
  readonly onFault: (error: unknown) => void;
  readonly onProgress: (done: number, total: number) => void;
  /** Delay after a host fault, and between two readiness checks. Default 1000. */
  readonly retryMs?: number | undefined;
  /** Called when the submission's state changes. */
  readonly onChange: () => void;
}

/** Evaluates one submission whose agent is connected, retries after host faults, and records the outcome. */
export class SubmissionRun {
  readonly #stop = new AbortController();
  #running: RunningEvaluation | undefined;
  #stopped: string | undefined;
  #disclosedScore: Readonly<Record<string, number>> | undefined;

  constructor(
    readonly agent: TeamAgent,
    private readonly options: SubmissionRunOptions,
  ) {}

  /** Means of the phase's metrics; undefined if the phase is hidden or the submission is not done. */
  get disclosedScore(): Readonly<Record<string, number>> | undefined {
    return this.#disclosedScore;
  }

  /** Stops the evaluation early. The first reason is kept. */
  stop(reason: string): void {
    this.#stopped ??= reason;
    this.#running?.stop();
    this.#stop.abort();
  }

  /** Resolves with the reason for closing the agent's connection. */
  async run(): Promise<string> {
    const { store, log, loaded, onChange } = this.options;
    const { agent } = this;
    const id = agent.submissionId;
    for (let number = 1; ; number++) {
      if (!(await this.#whenReady())) return this.#waitAgain();
      const submission = await store.move(id, ["queued"], "running");
      const phase = submission && loaded.phase(submission.phase);
      if (!phase) return this.#stopped ?? "the submission is over";
      log.add("submission_started", agent, number === 1 ? {} : { attempt: number }, agent.remote);
      onChange();
      const attempt = await this.#attempt(phase);
      const fault = this.#faultOf(attempt);
      if (fault?.isRetried && number < MOST_ATTEMPTS) {
        await this.#postpone(attempt);
        continue;
      }
      return this.#record(attempt, fault, phase.config);
    }
  }

  /** A submission that the team or an organiser stopped is not a host fault. */
  #faultOf(attempt: Attempt): HostFault | undefined {
    if (!this.agent.connection.isAlive) this.#stopped ??= "the agent disconnected";
    if (this.#stopped !== undefined) return undefined;
    return hostFault(attempt, this.agent.isMisfit);
  }

  async #attempt(phase: LoadedPhase): Promise<Attempt> {
    const { relay, secret, loaded } = this.options;
    const id = this.agent.submissionId;
    const withdraw = relay.offer(this.agent, new Anonymiser(secret, id, phase.config));
    const running = this.#start(phase);
    this.#running = running;
    // `stop` was called during the database query.
    if (this.#stopped !== undefined) running.stop();
    const wallMs = loaded.config.limits.wall_clock * 1000;
    const limit = setTimeout(() => this.#overTime(), Math.min(wallMs, LONGEST_TIMER_MS));
    try {
      return { outcome: await running.finished };
    } catch (error) {
      return { error };
    } finally {
      clearTimeout(limit);
      this.#running = undefined;
      withdraw(this.#stopped ?? "the evaluation is over");
    }
  }

  #start({ config, benchmark }: LoadedPhase): RunningEvaluation {
    const { relay, relayToken, runs, evaluations, loaded, onProgress } = this.options;
    const { submissionId, connection } = this.agent;
    const sessions = connection.ids.capacity;
    const workers = Math.min(config.workers, sessions);
    return evaluations.start(
      {
        submissionId,
        benchmark: benchmark.file,
        set: [...config.set, ...relaySettings(loaded.config.limits)],
        limit: config.limit,
        agent: relay.address(submissionId),
        token: relayToken,
        outDir: runs,
        workers,
        concurrency: Math.floor(sessions / workers),
      },
      { onProgress },
    );
  }

  #overTime(): void {
    this.options.log.add("limit_hit", this.agent, { limit: "wall_clock" });
    this.stop("the submission's time ran out");
  }

  /** Returns the submission to the queue, unless it was ended in the meantime. */
  async #postpone(attempt: Attempt): Promise<void> {
    const { store, log, readiness, onFault, onChange } = this.options;
    readiness.recheck();
    if (attempt.outcome === undefined) onFault(attempt.error);
    const reason = "a fault of the server's interrupted it; it is evaluated again";
    const id = this.agent.submissionId;
    await store.move(id, ["running"], "queued", { reason });
    log.add("submission_retried", this.agent, { reason: faultText(attempt) });
    onChange();
    await this.#pause();
  }

  /** Waits until the host is ready; false if the submission was stopped first. */
  async #whenReady(): Promise<boolean> {
    const { readiness } = this.options;
    while (this.#stopped === undefined) {
      if ((await readiness.problem()) === undefined) return this.#stopped === undefined;
      await this.#pause();
    }
    return false;
  }

  /** Ends early when the submission is stopped. */
  async #pause(): Promise<void> {
    const { retryMs = RETRY_MS } = this.options;
    await sleep(retryMs, undefined, { signal: this.#stop.signal }).catch(() => {});
  }

  /** The evaluation has not started: the submission waits for its agent to connect again. */
  async #waitAgain(): Promise<string> {
    const { store, log } = this.options;
    const id = this.agent.submissionId;
    const waiting = await store.move(id, ["queued"], "waiting_for_agent");
    if (waiting) log.add("submission_waiting", this.agent, {});
    return this.#stopped ?? SERVER_STOPPED;
  }

  async #record(
    attempt: Attempt,
    fault: HostFault | undefined,
    { hidden, metrics }: Pick<PhaseConfig, "hidden" | "metrics">,
  ): Promise<string> {
    const { outcomes } = this.options;
    const ended = { agent: this.agent, stopped: this.#stopped, isHostFault: fault !== undefined };
    if (attempt.outcome === undefined) return outcomes.failed(ended, attempt.error);
    const isDone = await outcomes.finished(ended, attempt.outcome);
    if (isDone && !hidden) this.#disclosedScore = meansOf(attempt.outcome.summary, metrics);
    return this.#stopped ?? "the submission is over";
  }
}

function meansOf({ aggregated_metrics }: RunSummary, metrics: readonly string[]) {
  const means = metrics.map((name) => [name, aggregated_metrics[name]?.mean ?? null] as const);
  return Object.fromEntries(means.filter((pair): pair is [string, number] => pair[1] !== null));
}

/** For the organisers. */
function faultText({ outcome, error }: Attempt): unknown {
  if (!outcome) return error instanceof Error ? error.message : String(error);
  const { status, faults } = outcome.summary;
  return { status, faults };
}
