import { isDeepStrictEqual } from "node:util";
import type { RunInfo } from "../../core/interfaces/result.js";
import type { ChangedKey } from "./documents.js";

/**
 * Settings for output locations, saved files and failure thresholds, on which no metric depends. The agent and the
 * seed are compared outside the config.
 */
const IGNORED_KEYS = [
  /^config\.output(\.|$)/,
  /^config\.agent$/,
  /^config\.evaluation\.(seed|fail_on_invalid)$/,
  /^config\.benchmark\.description$/,
];

const PLACE =
  /^config\.(?:dataset\.(?<task>[^.]+)|simulator)\.(data_path|gt_path|connectivity|scenes)$/;

/** The keys of run.json that differ between two runs and can affect their results. */
export function changedKeys(a: RunInfo, b: RunInfo): ChangedKey[] {
  const changed: ChangedKey[] = [];
  for (const key of ["kind", "agent", "seed", "selection", "disclosed", "config", "versions"]) {
    const section = key as keyof RunInfo;
    collect(key, a[section], b[section], changed);
  }
  return changed.filter(
    ({ key }) => !IGNORED_KEYS.some((one) => one.test(key)) && !moved(key, a, b),
  );
}

function collect(key: string, a: unknown, b: unknown, into: ChangedKey[]): void {
  if (isDeepStrictEqual(a, b)) return;
  if (isMapping(a) && isMapping(b)) {
    for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
      collect(`${key}.${name}`, a[name], b[name], into);
    }
    return;
  }
  into.push({ key, ...(a === undefined ? {} : { a }), ...(b === undefined ? {} : { b }) });
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

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
