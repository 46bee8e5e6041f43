import { reloadConfig } from "../../config/load.js";
import { BaseEpisode } from "../../core/episode/base.js";
import { createRegistries } from "../../registry/registries.js";
import { prepareRun, type RunPlan } from "../plan/prepare.js";
import type { RunnerSettings } from "./local-runner.js";
import type { WorkerSetup } from "./worker-messages.js";

/** The data from which a worker builds the same plan as the main thread. */
export function makeSetup(
  { loaded, agentSpec, tasks }: RunPlan,
  {
    seed,
    savesTrajectories,
    keepsGeometry,
    video,
    concurrency,
  }: RunnerSettings & { readonly concurrency: number },
): WorkerSetup {
  const { text, file, baseDir, within, document } = loaded;
  const samples = tasks.flatMap(({ task, episodes: [first] }) =>
    first ? [[task.name, first.toDict()] as const] : [],
  );
  return {
    benchmark: { text, file, baseDir, within, document },
    agent: agentSpec,
    seed,
    savesTrajectories,
    keepsGeometry,
    video,
    concurrency,
    samples: Object.fromEntries(samples),
  };
}

/**
 * Builds the plan in a worker, with the benchmark's plugins loaded into registries of its own. Datasets are
 * not read: episodes arrive with the jobs, and each task is prepared with one sample episode. A task without
 * episodes in this run is left out.
 */
export async function planFrom(setup: WorkerSetup): Promise<RunPlan> {
  const loaded = reloadConfig({ ...setup.benchmark, recorded: "current" });
  const tasks = loaded.config.tasks.filter(({ name }) => Object.hasOwn(setup.samples, name));
  const samples = Object.entries(setup.samples).map(([task, dict]) => [
    task,
    [BaseEpisode.fromDict(dict)],
  ]);
  return prepareRun(
    { ...loaded, config: { ...loaded.config, tasks } },
    {
      registries: createRegistries(),
      agent: setup.agent,
      seed: setup.seed,
      episodes: Object.fromEntries(samples),
    },
  );
}
