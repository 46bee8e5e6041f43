/** The runs that are compared, by the names in addresses; B is held against A. */
export interface Pair {
  readonly a: string;
  readonly b: string;
}
