import { loadRunPlugins } from "../../registry/plugins.js";
import type { Registries } from "../../registry/registries.js";
import type { SummaryTask } from "../../registry/resolved-task.js";
import { ResolvedTask } from "../../registry/resolved-task.js";
import { type RunPermissions, recordedBenchmark } from "../recorded/recorded-benchmark.js";
import type { Source } from "./source.js";

/** The tasks of the runs in the form that a summary needs. Reads neither scenes nor datasets. */
export async function summaryTasks(
  [first, ...others]: readonly [Source, ...Source[]],
  registries: Registries,
  permissions: Pick<RunPermissions, "plugins"> = {},
): Promise<Readonly<Record<string, SummaryTask>>> {
  const { run, info } = first;
  const loaded = recordedBenchmark(run, info, ["plugins"], permissions);
  await loadRunPlugins(loaded, registries);
  // A filter may exclude a whole task from a run.
  const ran = new Set([first, ...others].flatMap((source) => Object.keys(source.info.data ?? {})));
  const sections = loaded.config.tasks.filter(({ name }) => ran.size === 0 || ran.has(name));
  return Object.fromEntries(
    sections.map((section) => {
      const { name, summaryTask } = new ResolvedTask(loaded, section, registries);
      return [name, summaryTask];
    }),
  );
}
