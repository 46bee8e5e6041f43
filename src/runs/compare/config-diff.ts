import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../core/record.js";

export interface ConfigDifference {
  /** Dotted path: `evaluation.max_steps`. */
  readonly key: string;
  /** Undefined if absent. */
  readonly a: unknown;
  readonly b: unknown;
}

/** Defaults that earlier versions wrote into run.json, and that are now absent because they depend on the task. */
const FORMER_DEFAULTS: Readonly<Record<string, unknown>> = { "evaluation.max_steps": 500 };

/**
 * All differing keys: first in the order of `a`, then those only in `b`. Lists are compared as a whole. A former default
 * equals an absent key.
 *
 * @param path the path of both values, for the keys
 */
export function configDifferences(a: unknown, b: unknown, path = ""): ConfigDifference[] {
  if (!isRecord(a) || !isRecord(b)) {
    const known = (value: unknown) => (value === undefined ? FORMER_DEFAULTS[path] : value);
    return isDeepStrictEqual(known(a), known(b)) ? [] : [{ key: path, a, b }];
  }
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].flatMap((key) =>
    configDifferences(a[key], b[key], path === "" ? key : `${path}.${key}`),
  );
}

/** Settings that name a location. Files are identified by their content and may have been moved. */
const LOCATIONS = new Set([
  "data_path",
  "gt_path",
  "connectivity",
  "scenes",
  "plugins",
  "log_dir",
  "trajectories_dir",
]);

/** @param key a dotted path, as in `ConfigDifference` */
export function isLocation(key: string): boolean {
  return LOCATIONS.has(key.split(".").at(-1) ?? "");
}
