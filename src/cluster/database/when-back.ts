import { setTimeout as sleep } from "node:timers/promises";
import { errorCode } from "../../core/errors.js";

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

export interface WaitOptions {
  /** Ends the waiting: the error of the last try is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Told once, when the waiting begins. */
  readonly onAway?: ((error: unknown) => void) | undefined;
}

/**
 * Does `work`, again and again while the database is away, as when it restarts. Whether the last
 * statement of a try took effect is then unknown: `work` must be such that doing it twice is doing it
 * once.
 */
export async function whenBack<T>(work: () => Promise<T>, options: WaitOptions = {}): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isAway(error) || options.signal?.aborted) throw error;
      if (tries === 0) options.onAway?.(error);
      // Many workers come back at once; spread, they do not take the server down again.
      const wait = Math.min(FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS);
      await sleep(wait * (0.5 + Math.random()), undefined, { signal: options.signal }).catch(
        () => {},
      );
    }
  }
}

const SOCKET_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENETUNREACH",
  "EHOSTUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);

/** Whether an error says that the server cannot be talked to now, and nothing about what was asked of it. */
export function isAway(error: unknown): boolean {
  const code = String(errorCode(error) ?? "");
  if (SOCKET_CODES.has(code)) return true;
  // 08: connection; 57P: shutdown, crash, starting up; 53300: too many connections; 40: try again.
  if (/^(08|57P|53300|40001|40P01)/.test(code)) return true;
  const message = error instanceof Error ? error.message : "";
  return /connection (terminated|timeout)|timeout exceeded when trying to connect|not queryable/i.test(
    message,
  );
}
