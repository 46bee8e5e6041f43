import { ConfigError, DataError, show } from "../core/errors.js";

/**
 * Argument checks of the statistics functions. A NaN would give an interval of NaN, or disappear in a
 * sort without notice, so it is rejected with its index.
 */
export function checkFinite(values: readonly number[], name = "values"): void {
  const at = values.findIndex((value) => !Number.isFinite(value));
  if (at >= 0) {
    throw new DataError("non_finite_value", `${name}[${at}] is ${show(values[at])}`, {
      hint: "pass finite numbers only; leave out episodes where the metric has no value",
    });
  }
}

export function checkSameLength(
  a: readonly unknown[],
  b: readonly unknown[],
  nameA: string,
  nameB: string,
): void {
  if (a.length !== b.length) {
    throw new ConfigError(
      "length_mismatch",
      `${a.length} ${nameA} but ${b.length} ${nameB}: the numbers must be equal`,
      { hint: "pass both lists in the same episode order, with one entry per episode" },
    );
  }
}

export function checkCount(value: number, name: string): void {
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new ConfigError("invalid_count", `${name} is ${show(value)}`, {
      hint: "pass a whole number, 0 or greater",
    });
  }
}
