import { checkSameLength } from "./arguments.js";

/** Sum and number of the values of each cluster, in order of first appearance. */
export interface ClusterTotals {
  readonly sums: Float64Array;
  readonly counts: Float64Array;
}

/** Reduces the values to one sum and one count per cluster, which is all that the standard error of a mean needs. */
export function clusterTotals(
  values: readonly number[],
  clusters: readonly string[],
): ClusterTotals {
  checkSameLength(values, clusters, "values", "cluster names");
  const indexOf = new Map<string, number>();
  const sums: number[] = [];
  const counts: number[] = [];
  for (let i = 0; i < values.length; i++) {
    const name = clusters[i] as string;
    const value = values[i] as number;
    const at = indexOf.get(name);
    if (at === undefined) {
      indexOf.set(name, sums.length);
      sums.push(value);
      counts.push(1);
    } else {
      sums[at] = (sums[at] as number) + value;
      counts[at] = (counts[at] as number) + 1;
    }
  }
  return { sums: Float64Array.from(sums), counts: Float64Array.from(counts) };
}
