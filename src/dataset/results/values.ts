import { ConfigError, type DataError, show } from "../../core/errors.js";
import type { MetricValues } from "../../core/metric/scorer.js";
import { isRecord } from "../../core/record.js";
import { type DataLocation, errorAt } from "../check.js";

/** Common names of the success column; the first that exists is used. */
const SUCCESS_NAMES: readonly string[] = ["success", "is_success", "success_rate", "sr"];

export function successName(names: Iterable<string>): string | undefined {
  const there = new Set(names);
  return SUCCESS_NAMES.find((name) => there.has(name));
}

/** Python writes NaN for a missing number. */
function isNothing(value: unknown): boolean {
  return value === undefined || value === null || Number.isNaN(value);
}

/** Returns 1 or 0, or null if there is no value. */
export function successOf(value: unknown, at: DataLocation, name: string): 0 | 1 | null {
  if (isNothing(value)) return null;
  if (value === true || value === 1) return 1;
  if (value === false || value === 0) return 0;
  const isShare = typeof value === "number" && value > 0 && value <= 100;
  const hint = "pass per-episode results; this looks like a mean over episodes";
  throw wrong(at, name, "true, false, 1 or 0", value, isShare ? hint : undefined);
}

/**
 * Extracts the numbers of an entry. Numbers in a nested object are named `outer.inner`, as in Habitat
 * (`collisions.count`). Booleans become 1 and 0; non-finite numbers are missing values.
 *
 * @param not keys that are not metrics
 */
export function metricsOf(
  entry: Readonly<Record<string, unknown>>,
  at: DataLocation,
  not: ReadonlySet<string>,
): MetricValues {
  const found: [string, number | null][] = [];
  for (const [name, value] of Object.entries(entry)) {
    if (not.has(name)) continue;
    if (!isRecord(value)) {
      found.push([name, numberOf(value, at, name)]);
      continue;
    }
    for (const [inner, part] of Object.entries(value)) {
      found.push([`${name}.${inner}`, numberOf(part, at, `${name}.${inner}`)]);
    }
  }
  return Object.fromEntries(found);
}

function numberOf(value: unknown, at: DataLocation, name: string): number | null {
  if (value === null) return null;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  const hint = "for files with other columns, select them with --format table --columns ...";
  throw wrong(at, name, "a number", value, hint);
}

/** An integer number of steps, which Python may have written as 8.0; undefined if there is none. */
export function stepsOf(value: unknown, at: DataLocation, name: string): number | undefined {
  if (isNothing(value)) return undefined;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw wrong(at, name, "a whole number of at least 0", value);
}

/** A duration of at least 0; undefined if there is none. */
export function durationOf(value: unknown, at: DataLocation, name: string): number | undefined {
  if (isNothing(value)) return undefined;
  if (typeof value === "number" && value >= 0 && Number.isFinite(value)) return value;
  throw wrong(at, name, "a number of at least 0", value);
}

export function wrong(
  at: DataLocation,
  field: string,
  expected: string,
  value: unknown,
  hint?: string,
): DataError {
  return errorAt(at, "bad_result", `expected ${expected}, got ${show(value)}`, { field, hint });
}

/** Compares the success rate that a file states with the one computed from its episodes. */
export function checkStatedRate(
  stated: unknown,
  found: readonly number[],
  path: string,
  onWarning: ((text: string) => void) | undefined,
): void {
  if (typeof stated !== "number" || !Number.isFinite(stated) || found.length === 0) return;
  // Some writers round to four decimals.
  if (found.some((rate) => Math.abs(rate - stated) < 1e-4)) return;
  onWarning?.(
    `${path} states a success rate of ${stated}, but its episodes give ${found[0]?.toFixed(4)}: check whether the file was edited`,
  );
}

/** The error for `--task` on a file that names its own tasks, which would merge them. */
export function ownTasks(path: string): ConfigError {
  return new ConfigError("task_named", `${path} already names its tasks`, {
    where: "--task",
    hint: "remove the flag",
  });
}
