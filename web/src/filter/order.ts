/** A sort order: column and direction. */
export interface Order {
  readonly column: string;
  readonly descending: boolean;
}

/** `spl` is ascending, `-spl` descending. */
export function parseOrder(text: string | undefined, otherwise: string): Order {
  const given = text === undefined || text === "" ? otherwise : text;
  return given.startsWith("-")
    ? { column: given.slice(1), descending: true }
    : { column: given, descending: false };
}

export function orderText({ column, descending }: Order): string {
  return `${descending ? "-" : ""}${column}`;
}

/** A stable sorted copy; rows without a value are last in both directions. */
export function ordered<T>(
  rows: readonly T[],
  valueIn: (row: T) => string | number | null,
  descending: boolean,
): T[] {
  const keyed = rows.map((row, index) => ({ row, index, value: valueIn(row) }));
  keyed.sort((a, b) => {
    if (a.value === null || b.value === null) {
      if (a.value === b.value) return a.index - b.index;
      return a.value === null ? 1 : -1;
    }
    const rising = compareValues(a.value, b.value);
    return (descending ? -rising : rising) || a.index - b.index;
  });
  return keyed.map(({ row }) => row);
}

const collator = new Intl.Collator("en", { numeric: true });

function compareValues(a: string | number, b: string | number): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return collator.compare(String(a), String(b));
}
