import { stringify } from "yaml";
import { type LoadedConfig, parseConfig } from "../config/load.js";
import type { RunInfo, RunResults } from "../core/interfaces/result.js";
import { createRegistries, type Registries } from "../registry/registries.js";
import { RunWriter } from "../runs/run-directory.js";
import { Summariser } from "../runs/summary.js";
import type { Crew, EpisodeResult, Seat } from "./crew.js";
import type { EvaluationEvent } from "./events.js";
import { OwnThread } from "./own-thread.js";
import { type PrepareOptions, prepareRun, type RunPlan } from "./prepare.js";
import { DatasetOrder, type Job, type JobQueue, SceneOrder } from "./queue.js";
import { newRunInfo } from "./run-info.js";
import { WorkerPool } from "./worker-pool.js";
import { checkCount, WORKER_ENTRY, workerCount } from "./workers.js";

export interface EvaluatorOptions extends Partial<PrepareOptions> {
  readonly registries?: Registries;
  /** Parent folder of the run directory; null writes nothing. The benchmark's log_dir if absent. */
  readonly outDir?: string | null | undefined;
  /**
   * Threads that run episodes side by side. Absent or 1: this one alone. `auto`: one for each core,
   * where there are episodes enough and nothing stands against it. Each thread loads the benchmark's
   * plugins itself, so what was put into `registries` by hand is not there, and more than 1 refused.
   */
  readonly workers?: number | "auto" | undefined;
  /** Episodes under way at once in each thread, while agents think. */
  readonly concurrency?: number | undefined;
  /** By how much an episode may overrun its time before its worker is stopped. 30,000 if absent. */
  readonly workerGraceMs?: number | undefined;
  /** When aborted, the running episodes are finished and the run ends as `cancelled`. */
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: EvaluationEvent) => void) | undefined;
}

/**
 * Evaluates an agent on a benchmark.
 *
 * @example
 * const config = loadConfig("configs/benchmarks/vln_challenge.yaml");
 * const results = await new UnifiedRobotEvaluator(config, { agent: "shortest-path" }).run();
 * results.aggregated_metrics.success?.mean;
 */
export class UnifiedRobotEvaluator {
  readonly #loaded: LoadedConfig;
  readonly #options: EvaluatorOptions;
  readonly #registries: Registries;
  #plan: RunPlan | undefined;

  /** @param config what `loadConfig` returned, or a benchmark as a plain object */
  constructor(
    config: LoadedConfig | Readonly<Record<string, unknown>>,
    options: EvaluatorOptions = {},
  ) {
    this.#loaded = isLoaded(config)
      ? config
      : parseConfig(stringify(config), { file: "benchmark" });
    this.#options = options;
    this.#registries = options.registries ?? createRegistries();
  }

  /** Looks up and checks everything and loads the episodes; `run` does it when it was not done. */
  async prepare(): Promise<RunPlan> {
    const options = { ...this.#options, registries: this.#registries };
    this.#plan ??= await prepareRun(this.#loaded, options);
    return this.#plan;
  }

  async run(): Promise<RunResults> {
    return new Evaluation(await this.prepare(), this.#options).run();
  }
}

/** One run of one plan. */
class Evaluation {
  readonly #plan: RunPlan;
  readonly #options: EvaluatorOptions;
  readonly #workers: number;
  readonly #queue: JobQueue;
  readonly #total: number;
  #writer: RunWriter | undefined;
  #failed = false;

  constructor(plan: RunPlan, options: EvaluatorOptions) {
    checkCount(options.concurrency ?? 1, "concurrency");
    this.#plan = plan;
    this.#options = options;
    const jobs = plan.tasks.flatMap(({ judged, episodes }) =>
      episodes.map((episode): Job => ({ task: judged.name, episode })),
    );
    this.#total = jobs.length;
    const agents = plan.tasks.map(({ agent }) => agent);
    this.#workers = workerCount(options, { episodes: this.#total, agents });
    this.#queue = this.#workers > 1 ? new SceneOrder(jobs) : new DatasetOrder(jobs);
  }

  async run(): Promise<RunResults> {
    const { outDir, signal } = this.#options;
    const parent = outDir === undefined ? this.#plan.loaded.config.output.log_dir : outDir;
    // Simulators and agents open before the run directory is made: a wrong set-up leaves no run.
    const crew = await this.#openCrew(parent !== null);
    try {
      const info = await newRunInfo(this.#plan, this.#options, parent, crew.missingSensors);
      if (parent !== null) {
        this.#writer = await RunWriter.create(parent, info, this.#plan.loaded.text, "live");
      }
      const summariser = this.#summariser(info);
      this.#options.onEvent?.({
        type: "started",
        runId: info.run_id,
        runDir: this.#writer?.path ?? null,
        total: this.#total,
        warnings: info.warnings,
      });
      await Promise.all(crew.seats.map((seat) => this.#work(seat, summariser)));
      const summary = summariser.finish(
        signal?.aborted && this.#queue.size > 0 ? "cancelled" : "done",
      );
      const runDir = await this.#writer?.finish(summary, new Date().toISOString(), info.warnings);
      return { ...summary, run_dir: runDir ?? null };
    } catch (error) {
      this.#failed = true;
      await this.#writer?.abandon();
      throw error;
    } finally {
      await crew.close();
    }
  }

  #openCrew(writes: boolean): Promise<Crew> {
    const { concurrency = 1, workerGraceMs } = this.#options;
    const lanes = Math.min(concurrency, Math.ceil(this.#total / this.#workers));
    const settings = {
      seed: this.#plan.seed,
      savesTrajectories: writes && this.#plan.loaded.config.output.save_trajectories,
    };
    if (this.#workers === 1) return OwnThread.open(this.#plan, lanes, settings);
    return WorkerPool.open(this.#plan, {
      ...settings,
      workers: this.#workers,
      lanes,
      graceMs: workerGraceMs,
      entry: WORKER_ENTRY,
    });
  }

  /** Takes episodes off the common queue until it is empty or the run is cancelled. */
  async #work(seat: Seat, summariser: Summariser): Promise<void> {
    let kept: Promise<void> | undefined;
    for (;;) {
      const over = this.#failed || this.#options.signal?.aborted;
      const job = over ? undefined : this.#queue.take(seat.worker);
      const running = job && seat.run(job);
      // What goes wrong in it is seen below, unless writing down the last one fails first.
      running?.catch(() => {});
      await kept;
      const result = await running;
      if (!result || this.#failed) return;
      kept = this.#keep(result, summariser);
      if (!seat.apart) await kept;
    }
  }

  /** The trajectory is written before the line that names it. */
  async #keep(result: EpisodeResult, summariser: Summariser): Promise<void> {
    const { steps, faults } = result;
    const { episode_key, task } = result.line;
    for (const entry of faults) {
      this.#writer?.log.add({ level: "error", event: "episode_fault", episode_key, ...entry });
    }
    const trajectory = steps && (await this.#writer?.saveTrajectory(episode_key, steps));
    const line = trajectory === undefined ? result.line : { ...result.line, trajectory };
    await this.#writer?.append(line);
    summariser.add(line);
    const { success, failure, invalid } = summariser.counts;
    this.#options.onEvent?.({
      type: "episode",
      line,
      done: success + failure + invalid,
      total: this.#total,
      counts: summariser.counts,
      running: () => {
        const summary = summariser.running(task);
        const plan = this.#plan.tasks.find(({ judged }) => judged.name === task);
        return summary && plan && { metric: plan.judged.task.primaryMetric, summary };
      },
    });
  }

  #summariser(info: RunInfo): Summariser {
    const { tasks, agentSpec, seed } = this.#plan;
    return new Summariser({
      runId: info.run_id,
      benchmark: info.benchmark.name,
      agent: agentSpec,
      seed,
      tasks: Object.fromEntries(tasks.map(({ judged }) => [judged.name, judged.summaryTask])),
    });
  }
}

function isLoaded(config: object): config is LoadedConfig {
  return "locate" in config && typeof config.locate === "function";
}
