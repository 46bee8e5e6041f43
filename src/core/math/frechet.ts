/**
 * Discrete Fréchet distance: the largest pair distance of an alignment, minimised over all monotone
 * alignments of two sequences (Eiter and Mannila 1994, TU Wien CD-TR 94/64). DTW adds up all deviations;
 * this is the worst one. O(n m) time, one row of memory.
 */
export function discreteFrechet(
  n: number,
  m: number,
  distance: (i: number, j: number) => number,
): number {
  if (n === 0 || m === 0) return Number.POSITIVE_INFINITY;
  const row = new Float64Array(m).fill(Number.POSITIVE_INFINITY);
  for (let i = 0; i < n; i++) {
    // `diagonal` is the previous row's cell one column back, before it was overwritten.
    let diagonal = i === 0 ? 0 : Number.POSITIVE_INFINITY;
    let left = Number.POSITIVE_INFINITY;
    for (let j = 0; j < m; j++) {
      const up = row[j] as number;
      left = Math.max(distance(i, j), Math.min(diagonal, up, left));
      diagonal = up;
      row[j] = left;
    }
  }
  return row[m - 1] as number;
}
