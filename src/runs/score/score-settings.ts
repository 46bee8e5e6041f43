import { resolvedDocument } from "../../config/benchmark.js";
import { type LoadedConfig, parseConfig } from "../../config/load.js";
import { isTaskSection } from "../../config/schema.js";
import { ConfigError } from "../../core/errors.js";
import { configDifferences } from "../compare/config-diff.js";
import type { ScoreOptions } from "./score-options.js";

/** Keys of a task's config that affect the rollout; the others affect only its scoring. */
const ROLLOUT_KEYS = new Set([
  ...["max_steps", "timeout", "goals", "actions", "action_space", "terminate_on_success"],
  ...["robot_type", "dof", "control_mode", "joint_limits"],
]);

/** Keys outside the tasks that affect only scoring. */
const SCORING = [
  /^evaluation\.(profile|success_distance|metrics)$/,
  /^(simulator|dataset\.[^.]+)\.(connectivity|scenes)$/,
  /^benchmark\./,
  /^plugins$/,
];

/**
 * A recorded benchmark with `--set` applied. Settings that affect the rollout are rejected: the scored run would
 * claim settings that it did not run with.
 */
export function withSet(own: LoadedConfig, set: readonly string[]): LoadedConfig {
  const changed = withAssignments(own, set);
  const [before, now] = [own, changed].map(({ config }) => resolvedDocument(config));
  for (const { key } of configDifferences(before, now)) {
    if (affectsScoring(key)) continue;
    throw new ConfigError(
      "not_scored",
      `${key} affects how episodes run, and these are already recorded`,
      {
        where: "--set",
        hint: "valid: a task's profile, metrics, metric_config, success_distance and success_criteria, and the folders of scenes; for other settings, run the benchmark again",
      },
    );
  }
  return changed;
}

function affectsScoring(key: string): boolean {
  const [section = "", part, setting = ""] = key.split(".");
  if (isTaskSection(section)) return part === "config" && !ROLLOUT_KEYS.has(setting);
  return SCORING.some((pattern) => pattern.test(key));
}

/** Applies the other flags, which hold for all tasks. */
export function withFlags(
  own: LoadedConfig,
  { profile, metrics, connectivity, scenes, set = [] }: ScoreOptions,
): LoadedConfig {
  const assignments = own.config.tasks.flatMap(({ section, name }) => [
    ...(profile === undefined ? [] : [`${section}.config.profile=${profile}`]),
    ...(metrics === undefined ? [] : [`${section}.config.metrics=${JSON.stringify(metrics)}`]),
    ...(connectivity === undefined
      ? []
      : [`dataset.${name}.connectivity=${JSON.stringify(connectivity)}`]),
    ...(scenes === undefined ? [] : [`dataset.${name}.scenes=${JSON.stringify(scenes)}`]),
  ]);
  return withAssignments(own, [...assignments, ...set]);
}

function withAssignments(
  { text, file, baseDir, within }: LoadedConfig,
  set: readonly string[],
): LoadedConfig {
  return parseConfig(text, { file, baseDir, within, set });
}
