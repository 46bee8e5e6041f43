/** Cells from column `x0` to `x1` and row `z0` to `z1`, the ends excluded. */
export interface CellRectangle {
  readonly x0: number;
  readonly x1: number;
  readonly z0: number;
  readonly z1: number;
}

/**
 * The largest rectangle of set cells in a mask of rows with `columns` cells each; undefined if no cell is set. Only
 * rectangles of at least `minX` by `minZ` cells count.
 */
export function largestRectangle(
  mask: Uint8Array,
  columns: number,
  [minX, minZ]: readonly [number, number],
): CellRectangle | undefined {
  const heights = new Uint32Array(columns);
  let best: CellRectangle | undefined;
  let bestArea = 0;
  for (let z = 0; z * columns < mask.length; z++) {
    for (let x = 0; x < columns; x++) {
      heights[x] = mask[z * columns + x] ? (heights[x] as number) + 1 : 0;
    }
    // Columns whose bars rise; each bar is popped at the first lower one, which ends its rectangle.
    const rising: number[] = [];
    for (let x = 0; x <= columns; x++) {
      const here = x < columns ? (heights[x] as number) : 0;
      for (let top = rising.at(-1); top !== undefined; top = rising.at(-1)) {
        const high = heights[top] as number;
        if (high <= here) break;
        rising.pop();
        const x0 = (rising.at(-1) ?? -1) + 1;
        const area = high * (x - x0);
        if (area <= bestArea || high < minZ || x - x0 < minX) continue;
        bestArea = area;
        best = { x0, x1: x, z0: z + 1 - high, z1: z + 1 };
      }
      rising.push(x);
    }
  }
  return best;
}
