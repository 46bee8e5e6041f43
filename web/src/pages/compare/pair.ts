/** The ids of the compared runs; differences are B minus A. */
export interface Pair {
  readonly a: string;
  readonly b: string;
}
