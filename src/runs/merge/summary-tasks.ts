import { isRecord } from "../../core/record.js";
import type { Registries } from "../../registry/registries.js";
import { JudgedTask } from "../judged-task.js";
import { recordedBenchmark } from "../recorded-config.js";
import { loadRunPlugins } from "../run-plugins.js";
import type { SummaryTask } from "../summary.js";
import type { Source } from "./source.js";

/** The tasks that the runs had, as a summary needs them. Neither scenes nor data need be there. */
export async function summaryTasks(
  [first, ...others]: readonly [Source, ...Source[]],
  registries: Registries,
): Promise<Readonly<Record<string, SummaryTask>>> {
  const { run, info } = first;
  const loaded = recordedBenchmark(run, { ...info, config: withoutScenes(info.config) });
  await loadRunPlugins(loaded, registries);
  // A filter may leave a whole task out of a run.
  const ran = new Set([first, ...others].flatMap((source) => Object.keys(source.info.data ?? {})));
  const sections = loaded.config.tasks.filter(({ name }) => ran.size === 0 || ran.has(name));
  return Object.fromEntries(
    sections.map((section) => {
      const { name, summaryTask } = new JudgedTask(loaded, section, registries);
      return [name, summaryTask];
    }),
  );
}

/** Without the folders that `JudgedTask` would look for: nothing is measured here. */
function withoutScenes(config: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { dataset, simulator } = config;
  return {
    ...config,
    ...(isRecord(simulator) ? { simulator: bare(simulator) } : {}),
    ...(isRecord(dataset)
      ? {
          dataset: Object.fromEntries(
            Object.entries(dataset).map(([name, section]) => [name, bare(section)]),
          ),
        }
      : {}),
  };
}

function bare(section: unknown): unknown {
  if (!isRecord(section)) return section;
  const { connectivity, scenes, ...rest } = section;
  return rest;
}
