import { isRecord } from "../../../core/record.js";

export interface ValueDifference {
  /** `a.b[2]`; empty for the value itself. */
  readonly field: string;
  /** Null if absent. */
  readonly recorded: unknown;
  readonly now: unknown;
}

/**
 * The first difference between two JSON values, in the recorded order. Numbers must be equal to the bit; the
 * order of keys is ignored.
 */
export function firstDifference(
  recorded: unknown,
  now: unknown,
  field = "",
): ValueDifference | undefined {
  if (recorded === now) return undefined;
  if (Array.isArray(recorded) && Array.isArray(now)) {
    const length = Math.max(recorded.length, now.length);
    for (let i = 0; i < length; i++) {
      const found = firstDifference(recorded[i], now[i], `${field}[${i}]`);
      if (found) return found;
    }
    return undefined;
  }
  if (isRecord(recorded) && isRecord(now)) {
    for (const key of new Set([...Object.keys(recorded), ...Object.keys(now)])) {
      const path = field === "" ? key : `${field}.${key}`;
      const found = firstDifference(own(recorded, key), own(now, key), path);
      if (found) return found;
    }
    return undefined;
  }
  return { field, recorded: recorded ?? null, now: now ?? null };
}

/** A value as JSON stores it: Infinity becomes null. */
export function asJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function own(record: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
