import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../core/record.js";

/** A key that two configs do not agree on. */
export interface ConfigDifference {
  /** With dots: `evaluation.max_steps`. */
  readonly key: string;
  /** Undefined where it is absent. */
  readonly a: unknown;
  readonly b: unknown;
}

/** All of them, in the order of the keys in `a`, then those that only `b` has. Lists are compared whole. */
export function configDifferences(a: unknown, b: unknown): ConfigDifference[] {
  return differences(a, b, "");
}

function differences(a: unknown, b: unknown, path: string): ConfigDifference[] {
  if (!isRecord(a) || !isRecord(b)) {
    return isDeepStrictEqual(a, b) ? [] : [{ key: path, a, b }];
  }
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].flatMap((key) =>
    differences(a[key], b[key], path === "" ? key : `${path}.${key}`),
  );
}
