import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LeaseCache } from "./lease-cache.js";

/** The size of a value is the length of its key. */
function cache(capacity: number, keepFailure = true, maxSize = 100) {
  const made: string[] = [];
  const gone: string[] = [];
  const leases = new LeaseCache<string>({
    capacity,
    maxSize,
    sizeOf: (value) => value.length,
    failures: 2,
    dispose: (value) => gone.push(value),
    keepFailure: () => keepFailure,
  });
  const lease = (key: string) =>
    leases.lease(key, async () => {
      made.push(key);
      return key;
    });
  return { leases, lease, made, gone };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("LeaseCache", () => {
  it("LeaseCache makes a value once for concurrent and later requests", async () => {
    const { lease, made } = cache(2);
    await Promise.all([lease("a"), lease("a"), lease("a")]);
    await lease("a");
    expect(made).toEqual(["a"]);
  });

  it("LeaseCache evicts the least recently used value once it is released", async () => {
    const { lease, gone } = cache(2);
    for (const key of ["a", "b", "a", "c"]) (await lease(key)).release();
    await settled();
    expect(gone).toEqual(["b"]);
  });

  it("LeaseCache evicts released values that are too large together, but not the newest", async () => {
    const { lease, gone } = cache(8, true, 5);
    for (const key of ["aa", "bb", "cc"]) (await lease(key)).release();
    await settled();
    expect(gone).toEqual(["aa"]);
    (await lease("enormous")).release();
    (await lease("enormous")).release();
    await settled();
    expect(gone).toEqual(["aa", "bb", "cc"]);
  });

  it("LeaseCache keeps values in use above its capacity and evicts them on release", async () => {
    const { leases, lease, gone } = cache(1);
    const [a, again, b] = [await lease("a"), await lease("a"), await lease("b")];
    await settled();
    expect([gone, leases.size]).toEqual([[], 2]);
    a.release();
    a.release();
    await settled();
    expect(gone).toEqual([]);
    again.release();
    await settled();
    expect([gone, leases.size]).toEqual([["a"], 1]);
    b.release();
    await settled();
    expect(gone).toEqual(["a"]);
  });

  it("LeaseCache caches the last few errors that would recur", async () => {
    const { leases, made } = cache(1);
    const failing = (key: string) =>
      leases.lease(key, async () => {
        made.push(key);
        throw new Error(`no ${key}`);
      });
    for (let i = 0; i < 5; i++) await expect(failing("a")).rejects.toThrow("no a");
    expect(made).toEqual(["a"]);
    for (const key of ["b", "c", "a"]) await expect(failing(key)).rejects.toThrow(`no ${key}`);
    expect(made).toEqual(["a", "b", "c", "a"]);
    expect(leases.size).toBe(0);
  });

  it("LeaseCache retries after a transient error", async () => {
    const { leases } = cache(1, false);
    const flaky = (fail: boolean) =>
      leases.lease("a", async () => {
        if (fail) throw new Error("busy");
        return "a";
      });
    await expect(flaky(true)).rejects.toThrow("busy");
    expect((await flaky(false)).value).toBe("a");
  });

  it("LeaseCache never disposes of a value in use, nor keeps more unused values than its capacity", async () => {
    const step = fc.record({ key: fc.constantFrom("a", "b", "c", "d"), take: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        let number = 0;
        const alive = new Set<number>();
        const leases = new LeaseCache<number>({
          capacity: 2,
          maxSize: 100,
          sizeOf: () => 1,
          failures: 2,
          dispose: (value) => alive.delete(value),
          keepFailure: () => false,
        });
        const held: { key: string; value: number; release(): void }[] = [];
        for (const { key, take } of steps) {
          if (take) {
            const lease = await leases.lease(key, async () => {
              alive.add(++number);
              return number;
            });
            held.push({ key, ...lease });
          } else {
            const i = held.findIndex((lease) => lease.key === key);
            if (i >= 0) held.splice(i, 1)[0]?.release();
          }
          await settled();
          for (const { value } of held) expect(alive.has(value)).toBe(true);
          const used = new Set(held.map(({ value }) => value)).size;
          expect(alive.size).toBeLessThanOrEqual(Math.max(2, used));
        }
      }),
      { numRuns: 40 },
    );
  });
});
