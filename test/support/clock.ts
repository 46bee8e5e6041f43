import { setTimeout as pause } from "node:timers/promises";
import { onTestFinished, vi } from "vitest";

/** Until the test ends, time advances only through `vi.advanceTimersByTime` and `hang`, independent of machine load. */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
}

/** Never settles. The stopped clock advances by `ms` as soon as the caller waits. */
export function hang(ms: number): Promise<never> {
  setImmediate(() => vi.advanceTimersByTime(ms));
  return new Promise(() => {});
}

/** Advances the stopped clock by `ms` once something has happened, for instance in another process. */
export async function advanceWhen(hasHappened: () => boolean, ms: number): Promise<void> {
  while (!hasHappened()) await pause(5);
  vi.advanceTimersByTime(ms);
}

/** Resolves once something has happened, whether the clock is stopped or not. */
export async function until(hasHappened: () => boolean): Promise<void> {
  for (const end = Date.now() + 30_000; !hasHappened(); await pause(1)) {
    if (Date.now() > end) throw new Error("the condition did not become true within 30 s");
  }
}

/** Lets everything else that is ready run first. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A promise with its resolvers; Node 20 lacks `Promise.withResolvers`. */
export function deferred<T = void>() {
  let resolve: (value: T) => void = () => {};
  let reject: (reason: unknown) => void = () => {};
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}
