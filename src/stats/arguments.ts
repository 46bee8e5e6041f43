import { ConfigError, DataError, show } from "../core/errors.js";

/**
 * Checks at the door of the statistics. A NaN that slips in would come out as an interval of NaN, or
 * worse, vanish in a sort: it is refused with its place instead.
 */
export function checkFinite(values: readonly number[], name = "values"): void {
  const at = values.findIndex((value) => !Number.isFinite(value));
  if (at >= 0) {
    throw new DataError("non_finite_value", `${name}[${at}] is ${show(values[at])}`, {
      hint: "statistics take finite numbers; leave out episodes where the metric has no value",
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
      `${a.length} ${nameA} but ${b.length} ${nameB}: they must pair up one to one`,
      { hint: "pass both in the same episode order, one entry an episode" },
    );
  }
}

export function checkCount(value: number, name: string): void {
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new ConfigError("invalid_count", `${name} is ${show(value)}`, {
      hint: "counts are whole numbers, 0 or more",
    });
  }
}

/** At least one bootstrap replicate is needed for a percentile. */
export function checkResamples(resamples: number): void {
  checkCount(resamples, "resamples");
  if (resamples === 0) {
    throw new ConfigError("invalid_count", "resamples is 0", {
      hint: "use 1000 or more for a 95 % interval; the default is 2000",
    });
  }
}
