import { stringify } from "yaml";
import { type LoadedConfig, parseConfig } from "../config/load.js";
import type { RunResults } from "../core/interfaces/result.js";
import { programRegistries } from "../registry/default.js";
import { RunWriter } from "../runs/directory/run-writer.js";
import { type RunOptions, runEpisodes } from "./execute/run-episodes.js";
import { oneThreadNotice } from "./execute/worker-count.js";
import { jobsOf } from "./plan/jobs.js";
import { type PrepareOptions, prepareRun, type RunPlan } from "./plan/prepare.js";
import { newRunInfo, type RunName } from "./record/run-info.js";

export interface EvaluatorOptions
  extends Partial<Omit<PrepareOptions, "registries">>,
    RunOptions,
    RunName {
  /** Parent folder of the run directory; null writes nothing. Default: the benchmark's `log_dir`. */
  readonly outDir?: string | null | undefined;
}

/**
 * Evaluates an agent on a benchmark.
 *
 * @example
 * const config = loadConfig("vln_challenge");
 * const results = await new UnifiedRobotEvaluator(config, { agent: "shortest-path" }).run();
 * results.aggregated_metrics.success?.mean;
 */
export class UnifiedRobotEvaluator {
  readonly #loaded: LoadedConfig;
  readonly #options: EvaluatorOptions;
  #plan: RunPlan | undefined;

  /** @param config the result of `loadConfig`, or a benchmark as a plain object */
  constructor(
    config: LoadedConfig | Readonly<Record<string, unknown>>,
    options: EvaluatorOptions = {},
  ) {
    this.#loaded = isLoaded(config)
      ? config
      : parseConfig(stringify(config), { file: "benchmark" });
    this.#options = options;
  }

  /** Resolves all names, checks the config and loads the episodes. `run` calls it if needed. */
  async prepare(): Promise<RunPlan> {
    const { registries = programRegistries() } = this.#options;
    this.#plan ??= await prepareRun(this.#loaded, { ...this.#options, registries });
    return this.#plan;
  }

  async run(): Promise<RunResults> {
    const plan = await this.prepare();
    const { outDir = plan.loaded.config.output.log_dir } = this.#options;
    const jobs = jobsOf(plan);
    return runEpisodes(
      {
        plan,
        jobs,
        left: jobs,
        savesTrajectories: outDir !== null && plan.loaded.config.output.save_trajectories,
        video: outDir === null ? "none" : plan.loaded.config.output.video,
        begin: async ({ missingSensors, policies }) => {
          const warnings = [...missingSensors, ...oneThreadNotice(this.#options, plan)];
          const info = await newRunInfo(plan, this.#options, outDir, { warnings, policies });
          if (outDir === null) return { info, writer: undefined };
          const writer = await RunWriter.create(outDir, info, plan.loaded.text, "live");
          return { info, writer };
        },
      },
      this.#options,
    );
  }
}

function isLoaded(config: object): config is LoadedConfig {
  return "locate" in config && typeof config.locate === "function";
}
