/**
 * Works on several items at once and gives the results in the items' order. While one file is awaited
 * the next are on their way; at most `ahead` results are held.
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
      // Whoever awaits it sees the failure; until then it must not count as unhandled.
      result.catch(() => {});
      underWay.push(result);
      if (underWay.length >= ahead) yield await (underWay.shift() as Promise<R>);
    }
    while (underWay.length > 0) yield await (underWay.shift() as Promise<R>);
  } finally {
    await Promise.allSettled(underWay);
  }
}
