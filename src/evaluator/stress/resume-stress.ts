import { dirname, join } from "node:path";
import { parseConfig } from "../../config/load.js";
import { readText } from "../../config/read.js";
import { ConfigError } from "../../core/errors.js";
import { programRegistries } from "../../registry/default.js";
import { configDifferences, isLocation } from "../../runs/compare/config-diff.js";
import { RunDirectory } from "../../runs/directory/run-directory.js";
import { isOwnRun } from "../../runs/directory/run-key.js";
import { recordedConfig } from "../../runs/recorded/recorded-config.js";
import { readStress } from "../../runs/stress/read-stress.js";
import { withOverrides } from "../record/run-info.js";
import { runParts, type StressResult, type StressRunOptions } from "./stress-parts.js";
import { planStress } from "./stress-plan.js";

/**
 * Continues a stress test that was interrupted or killed: runs that are done stay, others are resumed or started. The
 * benchmark and the agent are those of its baseline.
 *
 * @throws ConfigError `foreign_run` if another account made it, because the benchmark may load code
 */
export async function resumeStress(
  folder: string,
  options: StressRunOptions = {},
): Promise<StressResult> {
  const report = await readStress(folder);
  const run = await RunDirectory.open(join(folder, report.baseline.run)).catch((cause: unknown) => {
    throw new ConfigError("no_baseline", "the stress test has no baseline to continue from", {
      where: folder,
      hint: "start it again with `robot-eval stress`",
      cause,
    });
  });
  const info = await run.info();
  const { file, set = [] } = info.benchmark;
  if (!isOwnRun(info) || file === undefined) {
    throw new ConfigError("foreign_run", "the stress test was not made by this account", {
      where: run.file("info"),
      hint: "start it again with `robot-eval stress`",
    });
  }
  const own = run.file("benchmark");
  const loaded = parseConfig(readText(own), { file, baseDir: dirname(file), set });
  const now = withOverrides(recordedConfig(loaded), info.agent, info.seed);
  const [changed] = configDifferences(info.config, now).filter(({ key }) => !isLocation(key));
  if (changed) {
    throw new ConfigError(
      "config_changed",
      `differs from the run's configuration: ${changed.key}`,
      {
        where: own,
        hint: "restore it, or start the stress test again",
      },
    );
  }
  const { registries = programRegistries() } = options;
  const axes = report.axes.map(({ axis }) => axis);
  const { expert } = await planStress(loaded, registries, { axes });
  const { limit, filter } = info.selection;
  return runParts(
    folder,
    { ...report, agent: info.agent, seed: info.seed },
    { loaded, expert, selection: { limit, filter } },
    options,
  );
}
