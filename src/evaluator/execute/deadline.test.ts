import { beforeEach, describe, expect, it, vi } from "vitest";
import { deferred, nextTurn, stopClock } from "../../../test/support/clock.js";
import { DeadlineError, within } from "./deadline.js";

beforeEach(stopClock);

describe("waiting within a deadline", () => {
  it("waiting within a deadline returns a value or a promise that resolves in time", async () => {
    expect(await within(1000, 7)).toBe(7);
    expect(await within(-1, 7)).toBe(7);
    const { promise, resolve } = deferred<number>();
    const waited = within(1000, promise);
    vi.advanceTimersByTime(999);
    resolve(7);
    expect(await waited).toBe(7);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("waiting within a deadline rejects with the rejection of the promise", async () => {
    await expect(within(1000, Promise.reject(new Error("no")))).rejects.toThrow("no");
  });

  it("waiting within a deadline rejects at the deadline", async () => {
    const waited = expect(within(10, new Promise(() => {}))).rejects.toThrow(DeadlineError);
    vi.advanceTimersByTime(10);
    await waited;
    await expect(within(0, new Promise(() => {}))).rejects.toThrow(DeadlineError);
  });

  it.each([Number.POSITIVE_INFINITY, 2 ** 31, 1e15])(
    "a deadline in %d ms is not over at once, although timers end at 2^31 ms",
    async (remaining) => {
      const { promise, resolve } = deferred<number>();
      const waited = within(remaining, promise);
      vi.advanceTimersByTime(2 ** 31 - 2);
      resolve(7);
      expect(await waited).toBe(7);
    },
  );

  it("waiting within a deadline works with any thenable", async () => {
    // biome-ignore lint/suspicious/noThenProperty: a promise of another make is what is tested
    const foreign = { then: () => {} } as unknown as Promise<string>;
    const waited = expect(within(1, foreign)).rejects.toThrow(DeadlineError);
    vi.advanceTimersByTime(1);
    await waited;
  });

  it("waiting within a deadline leaves no unhandled rejection", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", note);
    try {
      for (const remaining of [0, 1]) {
        const { promise, reject } = deferred<never>();
        const waited = expect(within(remaining, promise)).rejects.toThrow(DeadlineError);
        vi.advanceTimersByTime(1);
        await waited;
        reject(new Error("too late"));
        await nextTurn();
      }
    } finally {
      process.off("unhandledRejection", note);
    }
    expect(unhandled).toEqual([]);
  });
});
