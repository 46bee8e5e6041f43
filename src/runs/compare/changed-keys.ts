import { isDeepStrictEqual } from "node:util";
import type { RunInfo } from "../../core/interfaces/result.js";
import type { ChangedKey } from "./documents.js";

/**
 * Where results go, what is kept beside them and when a run counts as failed: no number depends on
 * these. The agent and the seed stand beside the config as well.
 */
const NO_MATTER = [
  /^config\.output(\.|$)/,
  /^config\.agent$/,
  /^config\.evaluation\.(seed|fail_on_invalid)$/,
  /^config\.benchmark\.description$/,
];

const PLACE =
  /^config\.(?:dataset\.(?<task>[^.]+)|simulator)\.(data_path|gt_path|connectivity|scenes)$/;

/** The keys of run.json in which two runs differ and on which their results can depend. */
export function changedKeys(a: RunInfo, b: RunInfo): ChangedKey[] {
  const changed: ChangedKey[] = [];
  for (const key of ["kind", "agent", "seed", "selection", "disclosed", "config", "versions"]) {
    const section = key as keyof RunInfo;
    collect(key, a[section], b[section], changed);
  }
  return changed.filter(({ key }) => !NO_MATTER.some((one) => one.test(key)) && !moved(key, a, b));
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

/** Data of the same digest that lie in another place, as they do on another machine. */
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
