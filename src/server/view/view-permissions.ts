import { DataError } from "../../core/errors.js";
import type { RunInfo, RunSummary } from "../../core/interfaces/result.js";
import type { RunDirectory } from "../../runs/directory/run-directory.js";
import { isOwnRun } from "../../runs/directory/run-key.js";
import type { RunPermissions } from "../../runs/recorded/recorded-benchmark.js";
import { summaryOf } from "../../runs/report/summary-of.js";

/** What viewed runs may use, as the operator of the server allows. */
export interface ViewOptions extends Pick<RunPermissions, "scenes" | "connectivity"> {
  /** True: the plugins named by runs of this account. A list: these modules, for every run. */
  readonly plugins?: boolean | readonly string[] | undefined;
}

export type ViewPermissions = Pick<RunPermissions, "plugins" | "scenes" | "connectivity">;

/** What one run may use. By default no plugin is loaded. */
export function permissionsFor(info: RunInfo, options: ViewOptions): ViewPermissions {
  const { plugins = false, scenes, connectivity } = options;
  if (plugins === true && isOwnRun(info)) return { scenes, connectivity };
  return { plugins: typeof plugins === "boolean" ? [] : plugins, scenes, connectivity };
}

/** True if the run names plugins that are not loaded. */
export function lacksPlugins(info: RunInfo, { plugins }: ViewPermissions): boolean {
  return plugins?.length === 0 && pluginsOf(info).length > 0;
}

/**
 * The summary of a run, without executing code that was not allowed. A finished run has one; that of an unfinished run
 * is computed if its tasks and metrics are built in.
 *
 * @throws DataError `plugins_not_loaded` if they are not
 */
export async function viewSummary(
  run: RunDirectory,
  info: RunInfo,
  permissions: ViewPermissions,
): Promise<RunSummary> {
  try {
    return await summaryOf(run, permissions, info);
  } catch (cause) {
    const isPlugins = lacksPlugins(info, permissions) && cause instanceof DataError;
    if (!isPlugins || cause.code !== "no_summary") throw cause;
    throw new DataError(
      "plugins_not_loaded",
      `the run is not finished, and computing its summary requires its plugins: ${pluginsOf(info).join(", ")}`,
      { where: run.path, hint: PLUGINS_HINT, cause },
    );
  }
}

/** Hint for contents that cannot be made without plugins. */
export const PLUGINS_HINT =
  "the run names plugins, which are code, so they were not loaded: start robot-eval view with --plugins for runs of your own, or with --plugin <module> for code that you trust";

/** Plugin modules that a run's benchmark names. */
function pluginsOf({ config }: RunInfo): readonly string[] {
  return Array.isArray(config.plugins) ? config.plugins.map(String) : [];
}
