import { createHash } from "node:crypto";
import { stringify } from "yaml";
import { type LoadedConfig, parseConfig } from "../config/load.js";
import type { BaseEpisode } from "../core/episode/base.js";
import { ConfigError, show } from "../core/errors.js";
import type { EpisodeLine, RunInfo, RunResults } from "../core/interfaces/result.js";
import { createRegistries, type Registries } from "../registry/registries.js";
import { slug } from "../runs/file-names.js";
import { recordedConfig } from "../runs/recorded-config.js";
import { freeRunId, RunWriter } from "../runs/run-directory.js";
import { Summariser } from "../runs/summary.js";
import { TrajectoryBuffer } from "../runs/trajectory.js";
import { versions } from "../runs/versions.js";
import type { EvaluationEvent } from "./events.js";
import { type PrepareOptions, prepareRun, type RunPlan } from "./prepare.js";
import { Slot } from "./slot.js";

export interface EvaluatorOptions extends Partial<PrepareOptions> {
  readonly registries?: Registries;
  /** Parent folder of the run directory; null writes nothing. The benchmark's log_dir if absent. */
  readonly outDir?: string | null | undefined;
  /** Episodes under way at once while agents think. */
  readonly concurrency?: number | undefined;
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
  readonly #options: EvaluatorOptions & { readonly registries: Registries };
  #plan: RunPlan | undefined;

  /** @param config what `loadConfig` returned, or a benchmark as a plain object */
  constructor(
    config: LoadedConfig | Readonly<Record<string, unknown>>,
    options: EvaluatorOptions = {},
  ) {
    this.#loaded = isLoaded(config)
      ? config
      : parseConfig(stringify(config), { file: "benchmark" });
    this.#options = { ...options, registries: options.registries ?? createRegistries() };
  }

  /** Looks up and checks everything and loads the episodes; `run` does it when it was not done. */
  async prepare(): Promise<RunPlan> {
    this.#plan ??= await prepareRun(this.#loaded, this.#options);
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
  readonly #queue: Job[];
  readonly #total: number;
  #writer: RunWriter | undefined;

  constructor(plan: RunPlan, options: EvaluatorOptions) {
    this.#plan = plan;
    this.#options = options;
    this.#queue = plan.tasks.flatMap(({ judged, episodes }) =>
      episodes.map((episode) => ({ task: judged.name, episode })),
    );
    this.#total = this.#queue.length;
  }

  async run(): Promise<RunResults> {
    const { outDir, concurrency = 1, signal } = this.#options;
    const { registries, tasks } = this.#plan;
    if (!(Number.isInteger(concurrency) && concurrency > 0)) {
      throw new ConfigError("bad_concurrency", `the concurrency is ${show(concurrency)}`, {
        where: "--concurrency",
        hint: "give a whole number above 0",
      });
    }
    // Simulators and agents open before the run directory is made: a wrong set-up leaves no run.
    const workers: Slot[][] = [];
    try {
      for (let i = 0; i < Math.min(concurrency, this.#total); i++) {
        const slots: Slot[] = [];
        workers.push(slots);
        for (const plan of tasks) slots.push(await Slot.open(plan, registries));
      }
      const parent = outDir === undefined ? this.#plan.loaded.config.output.log_dir : outDir;
      const info = await this.#info(parent, workers[0] ?? []);
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
      await Promise.all(workers.map((slots) => this.#work(slots, summariser)));
      const summary = summariser.finish(
        signal?.aborted && this.#queue.length > 0 ? "cancelled" : "done",
      );
      const runDir = await this.#writer?.finish(summary, new Date().toISOString(), info.warnings);
      return { ...summary, run_dir: runDir ?? null };
    } catch (error) {
      await this.#writer?.abandon();
      throw error;
    } finally {
      await Promise.all(workers.flat().map((slot) => slot.close()));
    }
  }

  /** Takes episodes off the common queue until it is empty or the run is cancelled. */
  async #work(slots: readonly Slot[], summariser: Summariser): Promise<void> {
    const { signal, onEvent } = this.#options;
    for (;;) {
      const job = signal?.aborted ? undefined : this.#queue.shift();
      const slot = slots.find(({ plan }) => plan.judged.name === job?.task);
      if (!job || !slot) return;
      const line = await this.#runOne(slot, job.episode);
      await this.#writer?.append(line);
      summariser.add(line);
      const { success, failure, invalid } = summariser.counts;
      onEvent?.({
        type: "episode",
        line,
        done: success + failure + invalid,
        total: this.#total,
        counts: summariser.counts,
        running: () => {
          const summary = summariser.running(line.task);
          return summary && { metric: slot.plan.judged.task.primaryMetric, summary };
        },
      });
    }
  }

  /** The trajectory is written before the line that names it. */
  async #runOne(slot: Slot, episode: BaseEpisode): Promise<EpisodeLine> {
    const { loaded, seed } = this.#plan;
    const saved = this.#writer && loaded.config.output.save_trajectories;
    const buffer = saved ? new TrajectoryBuffer(episode) : undefined;
    const line = await slot.run(episode, {
      seed,
      onRecord: (record) => buffer?.add(record),
      onFault: (episode_key, fault, error) => {
        const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
        this.#writer?.log.add({
          level: "error",
          event: "episode_fault",
          episode_key,
          fault,
          error: text,
        });
      },
      now: () => performance.now(),
    });
    if (!buffer || !this.#writer || line.initial_state_hash === null) return line;
    return { ...line, trajectory: await this.#writer.saveTrajectory(line.episode_key, buffer) };
  }

  async #info(parent: string | null, slots: readonly Slot[]): Promise<RunInfo> {
    const { loaded, agentSpec, seed, tasks, warnings } = this.#plan;
    const { limit, filter, shard } = this.#options;
    const started = new Date();
    const { name } = loaded.config.benchmark;
    const stamp = started.toISOString().replace(/[-:]|\.\d+/g, "");
    const base = `${stamp}-${slug(name)}-${slug(agentSpec)}`;
    return {
      format: "robot-eval-run/1",
      run_id: parent === null ? base : await freeRunId(parent, base),
      status: "running",
      kind: "run",
      benchmark: { name, sha256: createHash("sha256").update(loaded.text).digest("hex") },
      config: withOverrides(recordedConfig(loaded), agentSpec, seed),
      selection: {
        ...(limit === undefined ? {} : { limit }),
        ...(filter === undefined ? {} : { filter }),
        ...(shard === undefined ? {} : { shard }),
      },
      seed,
      agent: agentSpec,
      disclosed: Object.fromEntries(tasks.map((task) => [task.judged.name, task.disclosed])),
      versions: versions(),
      started_at: started.toISOString(),
      finished_at: null,
      warnings: [...warnings, ...slots.flatMap(missingSensors)],
    };
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

interface Job {
  readonly task: string;
  readonly episode: BaseEpisode;
}

/** What the command line said in place of the file, so that run.json alone tells what ran. */
function withOverrides(document: Readonly<Record<string, unknown>>, agent: string, seed: number) {
  const evaluation = document.evaluation as Readonly<Record<string, unknown>>;
  return { ...document, evaluation: { ...evaluation, seed }, agent };
}

function missingSensors({ plan, simulator }: Slot): string[] {
  const missing = simulator?.missingSensors ?? [];
  if (missing.length === 0) return [];
  return [`${plan.judged.name}: the ${plan.simulatorName} simulator has no ${missing.join(", ")}`];
}

function isLoaded(config: object): config is LoadedConfig {
  return "locate" in config && typeof config.locate === "function";
}
