import type { RunInfo } from "../../core/interfaces/result.js";
import { configDifferences } from "./config-diff.js";
import type { ChangedKey } from "./documents.js";

/**
 * Settings for output locations, saved files and failure thresholds, on which no metric depends. The agent and the
 * seed are compared outside the config.
 */
const IGNORED_KEYS = [
  /^config\.output(\.|$)/,
  /^config\.agent$/,
  /^config\.evaluation\.(seed|fail_on_invalid|give_up_if_first_invalid|thresholds)$/,
  /^config\.benchmark\.description$/,
];

const PLACE =
  /^config\.(?:dataset\.(?<task>[^.]+)|simulator)\.(data_path|gt_path|connectivity|scenes)$/;

const SECTIONS = [
  "kind",
  "agent",
  "policies",
  "seed",
  "selection",
  "disclosed",
  "config",
  "versions",
] as const satisfies readonly (keyof RunInfo)[];

/** The keys of run.json that differ between two runs and can affect their results. */
export function changedKeys(a: RunInfo, b: RunInfo): ChangedKey[] {
  return SECTIONS.flatMap((section) => configDifferences(a[section], b[section], section))
    .filter(({ key }) => !IGNORED_KEYS.some((one) => one.test(key)) && !moved(key, a, b))
    .map(({ key, a, b }) => ({
      key,
      ...(a === undefined ? {} : { a }),
      ...(b === undefined ? {} : { b }),
    }));
}

/** True for a path that differs while the data have the same digest, as on another machine. */
function moved(key: string, a: RunInfo, b: RunInfo): boolean {
  const place = PLACE.exec(key);
  if (!place) return false;
  const task = place.groups?.task;
  const tasks = task === undefined ? Object.keys(a.data ?? {}) : [task];
  return (
    tasks.length > 0 &&
    tasks.every((name) => {
      const digest = a.data?.[name]?.sha256;
      return digest !== undefined && digest === b.data?.[name]?.sha256;
    })
  );
}
