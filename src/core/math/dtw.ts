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

/**
 * `dtw` of points with Euclidean ground distance. Up to three dimensions, which covers every path we score,
 * the coordinates are unpacked first, because the inner loop dominates the cost of nDTW.
 */
export function dtwPoints(
  p: readonly (readonly number[])[],
  r: readonly (readonly number[])[],
): number {
  const m = r.length;
  const dimensions = r[0]?.length ?? 0;
  if (dimensions > 3) return dtw(p.length, m, (i, j) => euclidean(p[i] ?? [], r[j] ?? []));
  const [xs, ys, zs] = [0, 1, 2].map((k) => Float64Array.from(r, (point) => point[k] ?? 0)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const row = new Float64Array(m).fill(Number.POSITIVE_INFINITY);
  for (let i = 0; i < p.length; i++) {
    const [x = 0, y = 0, z = 0] = p[i] ?? [];
    let diagonal = i === 0 ? 0 : Number.POSITIVE_INFINITY;
    let left = Number.POSITIVE_INFINITY;
    for (let j = 0; j < m; j++) {
      const dx = x - (xs[j] as number);
      const dy = y - (ys[j] as number);
      const dz = z - (zs[j] as number);
      const up = row[j] as number;
      // Nested, because V8 compiles a two-argument minimum to branchless code.
      const best = Math.min(left, Math.min(diagonal, up));
      left = Math.sqrt(dx * dx + dy * dy + dz * dz) + best;
      diagonal = up;
      row[j] = left;
    }
  }
  return p.length === 0 ? Number.POSITIVE_INFINITY : (row[m - 1] ?? Number.POSITIVE_INFINITY);
}

function euclidean(a: readonly number[], b: readonly number[]): number {
  let squared = 0;
  for (let k = 0; k < a.length; k++) squared += ((a[k] ?? 0) - (b[k] ?? 0)) ** 2;
  return Math.sqrt(squared);
}
