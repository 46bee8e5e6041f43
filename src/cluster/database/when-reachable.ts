import { setTimeout as sleep } from "node:timers/promises";
import { errorCode } from "../../core/errors.js";

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

export interface WaitOptions {
  /** Ends the retries; the error of the last try is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Called once, after the first try failed. */
  readonly onUnreachable?: ((error: unknown) => void) | undefined;
}

/**
 * Retries `work` while the database is unreachable, for example during a restart. A failed try may have taken
 * effect, so `work` must be idempotent.
 */
export async function whenReachable<T>(
  work: () => Promise<T>,
  options: WaitOptions = {},
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isUnreachable(error) || options.signal?.aborted) throw error;
      if (tries === 0) options.onUnreachable?.(error);
      // Jitter: many workers reconnecting at once would overload the server.
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

/** True if the error means that the server is unreachable now, not that it rejected the statement. */
export function isUnreachable(error: unknown): boolean {
  const code = String(errorCode(error) ?? "");
  if (SOCKET_CODES.has(code)) return true;
  // 08: connection; 25P03: the server ended an idle transaction; 57P: shutdown, crash, starting up; 53100: disk full; 53300: too many connections; 40: serialisation failure, deadlock.
  if (/^(08|25P03|57P|53100|53300|40001|40P01)/.test(code)) return true;
  const message = error instanceof Error ? error.message : "";
  return /connection (terminated|timeout)|timeout exceeded when trying to connect|not queryable/i.test(
    message,
  );
}
