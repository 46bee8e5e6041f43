import { attach } from "../../cluster/attached.js";
import { type Cluster, openCluster } from "../../cluster/cluster.js";
import { controlRun } from "../../cluster/control.js";
import { findRun, OVER, openRuns } from "../../cluster/runs-table.js";
import { submitRun } from "../../cluster/submit.js";
import { loadConfig } from "../../config/load.js";
import { prepareRun } from "../../evaluator/prepare.js";
import { createRegistries } from "../../registry/registries.js";
import type {
  EvaluationHooks,
  EvaluationJob,
  EvaluationOutcome,
  Evaluations,
  RunningEvaluation,
} from "./evaluation-job.js";

/**
 * Has submissions evaluated by the workers of a cluster (`robot-eval worker --queue`). They reach the agent through
 * the relay, and so must have its token in their environment. Results come back into the same run directory as
 * those of a thread.
 */
export class QueueEvaluations implements Evaluations {
  readonly #cluster: Cluster;
  readonly #running = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();

  private constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** @param url of the database that the workers take their episodes from: the challenge's own */
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

  /** Others' runs among them, where the database is not the challenge's alone. */
  leftovers(): Promise<readonly string[]> {
    return openRuns(this.#cluster.database);
  }

  async abandon(submissionId: string): Promise<void> {
    const run = await findRun(this.#cluster.database, submissionId);
    if (!run || OVER.includes(run.status)) return;
    await controlRun(this.#cluster, submissionId, { action: "cancel" });
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    await Promise.all([...this.#running]);
    await this.#cluster.close();
  }

  async #run(
    job: EvaluationJob,
    { onProgress }: EvaluationHooks,
    stop: AbortSignal,
  ): Promise<EvaluationOutcome> {
    const { benchmark, set, agent, limit, outDir, submissionId: runId } = job;
    const plan = await prepareRun(loadConfig(benchmark, { set }), {
      ...{ registries: createRegistries(), agent, limit },
    });
    const submitted = await submitRun(this.#cluster, plan, { limit, runId, outDir });
    // The run is over when the cluster says so: what its workers have finished until then is part of it.
    const cancel = () =>
      void controlRun(this.#cluster, runId, { action: "cancel" }).catch(() => {});
    const ending = AbortSignal.any([stop, this.#closing.signal]);
    ending.addEventListener("abort", cancel, { once: true });
    if (ending.aborted) cancel();
    const { run_dir: runDir, ...summary } = await attach(this.#cluster, plan, submitted, {
      outDir,
      signal: this.#closing.signal,
      onEvent: (event) => onProgress(event.done, event.total),
    });
    return { summary, runDir };
  }
}
