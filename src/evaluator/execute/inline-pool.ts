import type { RunPlan } from "../plan/prepare.js";
import { type LocalRunner, openRunners, type RunnerSettings } from "./episode-runner.js";
import type { SessionTools } from "./task-session.js";
import type { EpisodeRunner, WorkerPool } from "./worker-pool.js";

/** Runs episodes in the calling thread. Several runners interleave while agents compute their actions. */
export class InlinePool implements WorkerPool {
  readonly runners: readonly EpisodeRunner[];
  readonly #local: readonly LocalRunner[];

  private constructor(local: readonly LocalRunner[], settings: RunnerSettings) {
    this.#local = local;
    this.runners = local.map((runner) => ({
      worker: 0,
      run: (job) => runner.run(job, settings),
    }));
  }

  static async open(
    { registries, tasks }: RunPlan,
    concurrency: number,
    settings: RunnerSettings,
  ): Promise<InlinePool> {
    const episodesOf: SessionTools["episodesOf"] = ({ episodes }) => Promise.resolve(episodes);
    const tools = { registries, episodesOf, logFolder: settings.logFolder };
    return new InlinePool(await openRunners(concurrency, tasks, tools), settings);
  }

  /** All runners have the same simulators, so the first one's list holds for all. */
  get missingSensors(): readonly string[] {
    return this.#local[0]?.missingSensors ?? [];
  }

  async close(): Promise<void> {
    await Promise.all(this.#local.map((runner) => runner.close()));
  }
}
