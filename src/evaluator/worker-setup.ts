import { stringify } from "yaml";
import { type LoadedConfig, parseConfig } from "../config/load.js";
import { YamlSource } from "../config/source.js";
import { BaseEpisode } from "../core/episode/base.js";
import { createRegistries } from "../registry/registries.js";
import type { LaneSettings } from "./lane.js";
import { prepareRun, type RunPlan } from "./prepare.js";
import type { WorkerSetup } from "./worker-messages.js";

/** What a worker is told, so that it can make the main thread's plan itself. */
export function makeSetup(
  { loaded, agentSpec, tasks }: RunPlan,
  {
    seed,
    savesTrajectories,
    keepsGeometry,
    video,
    lanes,
  }: LaneSettings & { readonly lanes: number },
): WorkerSetup {
  const { text, file, baseDir, document } = loaded;
  const samples = tasks.flatMap(({ judged, episodes: [first] }) =>
    first ? [[judged.name, first.toDict()] as const] : [],
  );
  return {
    benchmark: { text, file, baseDir, document },
    agent: agentSpec,
    seed,
    savesTrajectories,
    keepsGeometry,
    video,
    lanes,
    samples: Object.fromEntries(samples),
  };
}

/**
 * The plan, with the benchmark's plugins loaded into registries of the worker's own. Datasets are not
 * read: episodes come with the jobs, and each task is prepared with one of its own. A task that has
 * none in this run is left out.
 */
export async function planFrom(setup: WorkerSetup): Promise<RunPlan> {
  const loaded = reload(setup.benchmark);
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

/** What `--set` changed is in the document only; the places of errors are still those of the text. */
function reload({ text, file, baseDir, document }: WorkerSetup["benchmark"]): LoadedConfig {
  const changed = stringify(document, { aliasDuplicateObjects: false });
  const source = new YamlSource(text, file);
  return {
    ...parseConfig(changed, { file, baseDir }),
    text,
    source,
    locate: (path, at) => source.locate(path, at),
  };
}
