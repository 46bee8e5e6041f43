/**
 * Maps several items concurrently and yields the results in order. At most `ahead` results are in memory.
 */
export async function* mapOrdered<T, R>(
  items: AsyncIterable<T>,
  ahead: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const underWay: Promise<R>[] = [];
  try {
    for await (const item of items) {
      const result = work(item);
      // Awaited later; until then a rejection must not count as unhandled.
      result.catch(() => {});
      underWay.push(result);
      if (underWay.length >= ahead) yield await (underWay.shift() as Promise<R>);
    }
    while (underWay.length > 0) yield await (underWay.shift() as Promise<R>);
  } finally {
    await Promise.allSettled(underWay);
  }
}

/** Compares by code unit, independent of the locale. */
export function byText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
