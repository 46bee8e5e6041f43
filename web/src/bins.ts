export interface Bin {
  readonly from: number;
  /** Exclusive, except in the last bin. */
  readonly to: number;
  readonly count: number;
}

/** Counts numbers in bins of a round width (1, 2 or 5 times a power of ten). */
export function binsOf(values: readonly number[], most = 24): readonly Bin[] {
  const finite = values.filter(Number.isFinite);
  if (finite.length === 0) return [];
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const value of finite) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const size = Math.max(Math.abs(low), Math.abs(high));
  // Differences far below the magnitude of the numbers are rounding noise.
  const least = Math.max((high - low) / most, size * 1e-6, 1e-9);
  const width = niceWidth(high > low ? least : size === 0 ? 0.1 : Math.max(size / 10, 1e-9));
  const first = Math.floor(low / width + 1e-9);
  const count = Math.max(1, Math.ceil(high / width - 1e-9) - first);
  const counts = new Array<number>(count).fill(0);
  for (const value of finite) {
    const at = Math.min(count - 1, Math.max(0, Math.floor(value / width + 1e-9) - first));
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts.map((n, i) => ({
    from: plain((first + i) * width),
    to: plain((first + i + 1) * width),
    count: n,
  }));
}

function niceWidth(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return plain(([1, 2, 5].find((step) => step * power >= least * 0.999) ?? 10) * power);
}

/** Removes rounding noise: 0.30000000000000004 becomes 0.3. */
function plain(value: number): number {
  return Number(value.toPrecision(10));
}
