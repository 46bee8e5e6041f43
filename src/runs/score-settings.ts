import { resolvedDocument } from "../config/benchmark.js";
import { type LoadedConfig, parseConfig } from "../config/load.js";
import { isTaskSection } from "../config/schema.js";
import { ConfigError } from "../core/errors.js";
import { configDifferences } from "./config-diff.js";
import type { ScoreOptions } from "./score-options.js";

/** Parts of a task's config that shaped what happened; the others judge it. */
const OF_THE_ROLLOUT = new Set([
  ...["max_steps", "timeout", "goals", "actions", "action_space", "terminate_on_success"],
  ...["robot_type", "dof", "control_mode", "joint_limits"],
]);

/** Outside of the tasks: what judges, and where what it needs is found. */
const JUDGING = [
  /^evaluation\.(profile|success_distance|metrics)$/,
  /^(simulator|dataset\.[^.]+)\.(connectivity|scenes)$/,
  /^benchmark\./,
  /^plugins$/,
];

/**
 * A recorded benchmark with `--set` applied. What is recorded has happened: a setting that would have made
 * it happen otherwise is refused, since the scored run would say of itself what is not true.
 */
export function withSet(own: LoadedConfig, set: readonly string[]): LoadedConfig {
  const changed = parseConfig(own.text, { file: own.file, baseDir: own.baseDir, set });
  const [before, now] = [own, changed].map(({ config }) => resolvedDocument(config));
  for (const { key } of configDifferences(before, now)) {
    if (judges(key)) continue;
    throw new ConfigError(
      "not_scored",
      `${key} says how episodes are run, and these have been run`,
      {
        where: "--set",
        hint: "what can be changed: a task's profile, metrics, metric_config and success_distance, and where scenes are; for the rest run the benchmark again",
      },
    );
  }
  return changed;
}

function judges(key: string): boolean {
  const [section = "", part, setting = ""] = key.split(".");
  if (isTaskSection(section)) return part === "config" && !OF_THE_ROLLOUT.has(setting);
  return JUDGING.some((pattern) => pattern.test(key));
}

/** With the other flags' wishes on top; they name no task, and so go to all. */
export function withWishes(
  own: LoadedConfig,
  { profile, metrics, connectivity, scenes, set = [] }: ScoreOptions,
): LoadedConfig {
  const wishes = own.config.tasks.flatMap(({ section, name }) => [
    ...(profile === undefined ? [] : [`${section}.config.profile=${profile}`]),
    ...(metrics === undefined ? [] : [`${section}.config.metrics=${JSON.stringify(metrics)}`]),
    ...(connectivity === undefined
      ? []
      : [`dataset.${name}.connectivity=${JSON.stringify(connectivity)}`]),
    ...(scenes === undefined ? [] : [`dataset.${name}.scenes=${JSON.stringify(scenes)}`]),
  ]);
  const all = [...wishes, ...set];
  return parseConfig(own.text, { file: own.file, baseDir: own.baseDir, set: all });
}
