/** Thrown by `within` when time is up. */
export class DeadlineError extends Error {
  override readonly name = "DeadlineError";
}

/**
 * Waits for something, but not past the deadline. What is no promise costs no timer: embedded agents
 * answer at once, thousands of times a second.
 */
export async function within<T>(remainingMs: number, value: T | Promise<T>): Promise<T> {
  if (!(value instanceof Promise)) return value;
  if (remainingMs <= 0) throw new DeadlineError();
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      value,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new DeadlineError()), remainingMs);
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
