import { describe, expect, it } from "vitest";
import { mapOrdered } from "./ordered.js";

async function* numbers(n: number): AsyncGenerator<number> {
  for (let i = 0; i < n; i++) yield i;
}

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const out: T[] = [];
  for await (const item of items) out.push(item);
  return out;
}

describe("mapOrdered", () => {
  it("mapOrdered keeps the order regardless of completion order", async () => {
    const results = mapOrdered(numbers(20), 5, async (i) => {
      await later((i * 7) % 5);
      return i;
    });
    expect(await all(results)).toEqual(Array.from({ length: 20 }, (_, i) => i));
  });

  it("mapOrdered limits the number of concurrent calls", async () => {
    let underWay = 0;
    let most = 0;
    await all(
      mapOrdered(numbers(30), 4, async () => {
        most = Math.max(most, ++underWay);
        await later(1);
        underWay--;
      }),
    );
    expect(most).toBe(4);
  });

  it("mapOrdered throws an error at its position in the order and waits for the remaining calls", async () => {
    let finished = 0;
    const seen: number[] = [];
    const results = mapOrdered(numbers(10), 3, async (i) => {
      await later(1);
      finished++;
      if (i === 2) throw new Error("no");
      return i;
    });
    await expect(
      (async () => {
        for await (const i of results) seen.push(i);
      })(),
    ).rejects.toThrow("no");
    expect(seen).toEqual([0, 1]);
    expect(finished).toBe(5);
  });
});
