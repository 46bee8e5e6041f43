/** Node's timers fire immediately for longer delays. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Thrown by `within` at the deadline. */
export class DeadlineError extends Error {
  override readonly name = "DeadlineError";
}

/**
 * Waits for a value, but not past the deadline. A value that is not a promise needs no timer: embedded agents
 * answer synchronously, thousands of times a second.
 */
export async function within<T>(remainingMs: number, value: T | Promise<T>): Promise<T> {
  if (!isThenable(value)) return value;
  if (remainingMs <= 0) {
    // Nothing awaits this promise any more, and an unhandled rejection would end the process.
    Promise.resolve(value).catch(() => {});
    throw new DeadlineError();
  }
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      value,
      new Promise<never>((_, reject) => {
        timer = setTimeout(
          () => reject(new DeadlineError()),
          Math.min(remainingMs, LONGEST_TIMER_MS),
        );
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}

export function isThenable<T>(value: T | Promise<T>): value is Promise<T> {
  return (
    typeof value === "object" &&
    value !== null &&
    "then" in value &&
    typeof value.then === "function"
  );
}
