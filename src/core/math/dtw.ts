/**
 * Exact dynamic time warping: the least total ground distance over all monotone alignments of two
 * sequences, no window (Sakoe and Chiba 1978). O(n m) time, one row of memory.
 */
export function dtw(n: number, m: number, distance: (i: number, j: number) => number): number {
  if (n === 0 || m === 0) return Number.POSITIVE_INFINITY;
  const row = new Float64Array(m);
  for (let i = 0; i < n; i++) {
    // `diagonal` is the previous row's cell one column back, before it was overwritten.
    let diagonal = i === 0 ? 0 : Number.POSITIVE_INFINITY;
    let left = Number.POSITIVE_INFINITY;
    for (let j = 0; j < m; j++) {
      const up = i === 0 ? Number.POSITIVE_INFINITY : (row[j] as number);
      const best = Math.min(diagonal, up, left);
      left = distance(i, j) + best;
      diagonal = up;
      row[j] = left;
    }
  }
  return row[m - 1] as number;
}

/** The same over points in space, packed for speed; Euclidean ground distance. */
export function dtwPoints(
  p: readonly (readonly number[])[],
  r: readonly (readonly number[])[],
): number {
  const n = p.length;
  const m = r.length;
  if (n === 0 || m === 0) return Number.POSITIVE_INFINITY;
  const dim = (p[0] as readonly number[]).length;
  const flat = new Float64Array(m * dim);
  for (let j = 0; j < m; j++) {
    for (let k = 0; k < dim; k++) flat[j * dim + k] = (r[j] as readonly number[])[k] as number;
  }
  const row = new Float64Array(m).fill(Number.POSITIVE_INFINITY);
  for (let i = 0; i < n; i++) {
    const point = p[i] as readonly number[];
    let diagonal = i === 0 ? 0 : Number.POSITIVE_INFINITY;
    let left = Number.POSITIVE_INFINITY;
    for (let j = 0, at = 0; j < m; j++) {
      let squared = 0;
      for (let k = 0; k < dim; k++, at++) {
        const d = (point[k] as number) - (flat[at] as number);
        squared += d * d;
      }
      const up = row[j] as number;
      left = Math.sqrt(squared) + Math.min(diagonal, up, left);
      diagonal = up;
      row[j] = left;
    }
  }
  return row[m - 1] as number;
}
