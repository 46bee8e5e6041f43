import { DataError } from "../../core/errors.js";
import type { RunInfo, RunSummary } from "../../core/interfaces/result.js";
import { summaryOf } from "../../runs/report/summary-of.js";
import { RunDirectory } from "../../runs/run-directory.js";

/** Files and packages whose code a run's benchmark asks for. */
function pluginsOf({ config }: RunInfo): readonly string[] {
  return Array.isArray(config.plugins) ? config.plugins.map(String) : [];
}

/** The run as if its benchmark named no plugins: what is made of it runs nobody else's code. */
export function withoutPlugins(info: RunInfo): RunInfo {
  return pluginsOf(info).length === 0 ? info : { ...info, config: { ...info.config, plugins: [] } };
}

class PluginFreeRun extends RunDirectory {
  override async info(): Promise<RunInfo> {
    return withoutPlugins(await super.info());
  }
}

/**
 * The summary of a run without its plugins: whoever looks at a run of somebody else's does not want its code
 * to run. A run that is over has its summary; one that is not can be summed up where its tasks and metrics are
 * ours.
 *
 * @throws DataError `plugins_not_loaded` where they are not
 */
export async function plainSummaryOf(path: string, info: RunInfo): Promise<RunSummary> {
  const plugins = pluginsOf(info);
  try {
    return await summaryOf(new PluginFreeRun(path));
  } catch (cause) {
    if (plugins.length === 0 || !(cause instanceof DataError) || cause.code !== "no_summary") {
      throw cause;
    }
    throw new DataError(
      "plugins_not_loaded",
      `the run is not finished, and summing it up takes its plugins: ${plugins.join(", ")}`,
      { where: path, hint: PLUGINS_HINT, cause },
    );
  }
}

/** What a page says where something cannot be made without them. */
export const PLUGINS_HINT =
  "the run's plugins are code, and are not loaded unasked: if you trust it, start robot-eval view with --plugins";
