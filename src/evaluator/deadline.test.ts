import { describe, expect, it } from "vitest";
import { DeadlineError, within } from "./deadline.js";

const later = <T>(value: T) =>
  new Promise<T>((resolve) => {
    setTimeout(() => resolve(value), 5);
  });

describe("waiting within a deadline", () => {
  it("gives what comes in time, promised or not", async () => {
    expect(await within(1000, 7)).toBe(7);
    expect(await within(1000, later(7))).toBe(7);
    expect(await within(-1, 7)).toBe(7);
  });

  it("passes a failure on", async () => {
    await expect(within(1000, Promise.reject(new Error("no")))).rejects.toThrow("no");
  });

  it("ends when time is up", async () => {
    await expect(within(10, new Promise(() => {}))).rejects.toThrow(DeadlineError);
    await expect(within(0, later(7))).rejects.toThrow(DeadlineError);
  });

  it.each([Number.POSITIVE_INFINITY, 2 ** 31, 1e15])(
    "does not take a deadline in %d ms for one that is over: timers end at 2^31 ms",
    async (remaining) => {
      expect(await within(remaining, later(7))).toBe(7);
    },
  );

  it("holds for anything that can be awaited, not for a Promise alone", async () => {
    // biome-ignore lint/suspicious/noThenProperty: a promise of another make is what is tested
    const foreign = { then: () => {} } as unknown as Promise<string>;
    const waited = within(1, foreign).catch(() => "time was up");
    const patience = later("still waiting").then(later).then(later);
    expect(await Promise.race([waited, patience])).toBe("time was up");
  });

  it("leaves no rejection behind that nobody handles", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", note);
    try {
      const failing = () => later(0).then(() => Promise.reject(new Error("too late")));
      await expect(within(0, failing())).rejects.toThrow(DeadlineError);
      await expect(within(1, failing())).rejects.toThrow(DeadlineError);
      await later(0).then(() => later(0));
    } finally {
      process.off("unhandledRejection", note);
    }
    expect(unhandled).toEqual([]);
  });
});
