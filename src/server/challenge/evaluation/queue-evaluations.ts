import { rm } from "node:fs/promises";
import { join } from "node:path";
import { attach } from "../../../cluster/attached.js";
import { type Cluster, openCluster } from "../../../cluster/cluster.js";
import { controlRun } from "../../../cluster/control.js";
import { whenReachable } from "../../../cluster/database/when-reachable.js";
import { pullRun } from "../../../cluster/pull.js";
import { findRun, OVER, openRuns } from "../../../cluster/runs-table.js";
import { submitRun } from "../../../cluster/submit.js";
import { loadConfig } from "../../../config/load.js";
import { prepareRun } from "../../../evaluator/plan/prepare.js";
import type { EvaluationEvent } from "../../../evaluator/record/events.js";
import { createRegistries } from "../../../registry/registries.js";
import {
  type EvaluationHooks,
  type EvaluationJob,
  type EvaluationOutcome,
  type Evaluations,
  outcomeOf,
  type RunningEvaluation,
} from "./evaluation-job.js";
import { isComplete } from "./verdict.js";

/**
 * Evaluates submissions on the workers of a cluster (`robot-eval worker --queue`). They reach the agent through the
 * relay and need its token in their environment. Results are written to a run directory, as for threads.
 */
export class QueueEvaluations implements Evaluations {
  readonly #running = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();

  private constructor(private readonly cluster: Cluster) {}

  /** @param url address of the challenge's database, from which the workers lease batches */
  static async open(url: string): Promise<QueueEvaluations> {
    return new QueueEvaluations(await openCluster(url, { name: "robot-eval challenge queue" }));
  }

  start(job: EvaluationJob, hooks: EvaluationHooks): RunningEvaluation {
    const stop = new AbortController();
    const finished = this.#run(job, hooks, stop.signal);
    const followed = finished.catch(() => {}).finally(() => this.#running.delete(followed));
    this.#running.add(followed);
    return { finished, stop: () => stop.abort() };
  }

  async leftovers(): Promise<readonly string[]> {
    const open = await openRuns(this.cluster.database);
    // A shared database also contains runs that are not submissions.
    return [...new Set(open.flatMap((runId) => submissionOf(runId) ?? []))];
  }

  async abandon(submissionId: string): Promise<void> {
    for (const runId of await openRuns(this.cluster.database)) {
      if (submissionOf(runId) === submissionId) await this.#cancel(runId);
    }
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    await Promise.all([...this.#running]);
    await this.cluster.close();
  }

  async #run(
    job: EvaluationJob,
    { onProgress }: EvaluationHooks,
    stop: AbortSignal,
  ): Promise<EvaluationOutcome> {
    const { benchmark, set, agent, limit, outDir, submissionId } = job;
    const signal = this.#closing.signal;
    const options = {
      ...{ outDir, signal },
      onEvent: (event: Pick<EvaluationEvent, "done" | "total">) =>
        onProgress(event.done, event.total),
    };
    const { finished, runId } = await this.#earlierAttempt(submissionId, options);
    if (finished) return finished;
    const plan = await prepareRun(loadConfig(benchmark, { set }), {
      ...{ registries: createRegistries(), agent, first: limit },
    });
    // Retried, because a lost cancellation would leave this waiting for workers for ever.
    let cancelled: Promise<void> | undefined;
    const cancel = () => {
      cancelled ??= whenReachable(() => this.#cancel(runId), { signal }).catch(() => {});
      return cancelled;
    };
    const ending = AbortSignal.any([stop, signal]);
    try {
      const submitted = await submitRun(this.cluster, plan, { first: limit, runId, outDir });
      // Cancel on the cluster instead of aborting: episodes that workers finish until then belong to the run.
      ending.addEventListener("abort", cancel, { once: true });
      if (ending.aborted) void cancel();
      const results = await attach(this.cluster, plan, submitted, options);
      // `close` disconnects from the database after this, and the run would stay in the queue.
      await cancelled;
      return outcomeOf(results);
    } catch (error) {
      // The run may be in the queue although submitting it failed, if the answer to the commit was lost.
      await cancel();
      throw error;
    }
  }

  /**
   * Finds the complete result of an earlier attempt, or the run id for the next one. Each attempt has its own id,
   * because workers may still record results of the previous one.
   */
  async #earlierAttempt(
    submissionId: string,
    options: Parameters<typeof pullRun>[2] & { readonly outDir: string },
  ): Promise<{ readonly finished?: EvaluationOutcome; readonly runId: string }> {
    await this.abandon(submissionId);
    for (let runId = submissionId, n = 2; ; runId = `${submissionId}-${n++}`) {
      const run = await findRun(this.cluster.database, runId);
      if (!run) return { runId };
      await rm(join(options.outDir, runId), { recursive: true, force: true });
      if (run.status !== "done") continue;
      const finished = outcomeOf(await pullRun(this.cluster, runId, options));
      if (isComplete(finished.summary)) return { finished, runId };
    }
  }

  async #cancel(runId: string): Promise<void> {
    const isOver = async () => {
      const run = await findRun(this.cluster.database, runId);
      return !run || OVER.includes(run.status);
    };
    if (await isOver()) return;
    try {
      await controlRun(this.cluster, runId, { action: "cancel" });
    } catch (error) {
      // The run may have finished in the meantime.
      if (!(await isOver())) throw error;
    }
  }
}

/** The submission of a run; undefined for other runs. */
function submissionOf(runId: string): string | undefined {
  return /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:-\d+)?$/.exec(runId)?.[1];
}
