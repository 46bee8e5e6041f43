/** A longer time-out overflows Node's timers and fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Thrown by `within` when time is up. */
export class DeadlineError extends Error {
  override readonly name = "DeadlineError";
}

/**
 * Waits for something, but not past the deadline. What is no promise costs no timer: embedded agents
 * answer at once, thousands of times a second.
 */
export async function within<T>(remainingMs: number, value: T | Promise<T>): Promise<T> {
  if (!isThenable(value)) return value;
  if (remainingMs <= 0) {
    // Nobody will wait for it any more, and a rejection that nobody handles ends the process.
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
