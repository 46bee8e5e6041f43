import { setTimeout as later } from "node:timers/promises";
import type { PoolClient } from "pg";
import { openDatabase, withoutPassword } from "../../../cluster/database/connect.js";
import { ConfigError } from "../../../core/errors.js";

/** Key of the advisory lock in the challenge's database. */
const LOCK = 7_264_519_003;
/** PostgreSQL frees the lock of a dead server as soon as it notices the broken connection. */
const ACQUIRE_TIMEOUT_MS = 5000;
const RETRY_MS = 250;

/**
 * Takes an advisory lock, so that only one server runs a challenge: a second one would end the running submissions as
 * those of a dead server. The lock belongs to a connection, so it is freed when the process ends for any reason.
 *
 * @param onLost called if another server took the lock during a restart of the database
 * @returns a function that releases the lock
 */
export async function acquireServerLock(
  url: string,
  onLost: (error: ConfigError) => void,
): Promise<() => Promise<void>> {
  const database = await openDatabase(url, { connections: 1, name: "robot-eval challenge lock" });
  let held: PoolClient | undefined;
  let closed = false;
  const lock = async (): Promise<boolean> => {
    const client = await database.pool.connect();
    try {
      const { rows } = await client.query<{ mine: boolean }>(
        "SELECT pg_try_advisory_lock($1) AS mine",
        [LOCK],
      );
      if (rows[0]?.mine !== true || closed) {
        client.release();
        return false;
      }
    } catch (error) {
      client.release(true);
      throw error;
    }
    held = client;
    client.once("error", () => {
      held = undefined;
      client.release(true);
      void reacquire();
    });
    return true;
  };
  /** Takes the lock again after a restart of the database; reports `onLost` if another server was faster. */
  const reacquire = async () => {
    while (!closed) {
      await later(RETRY_MS, undefined, { ref: false });
      const mine = closed || (await lock().catch(() => undefined));
      if (mine === undefined) continue;
      if (!mine && !closed) onLost(alreadyServed(url));
      return;
    }
  };
  const close = async () => {
    closed = true;
    held?.removeAllListeners("error").on("error", () => {});
    held?.release(true);
    await database.close();
  };
  const until = performance.now() + ACQUIRE_TIMEOUT_MS;
  try {
    while (!(await lock())) {
      if (performance.now() > until) throw alreadyServed(url);
      await later(RETRY_MS);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return close;
}

function alreadyServed(url: string): ConfigError {
  return new ConfigError("already_served", "another server runs this challenge", {
    where: withoutPassword(url),
    hint: "stop the other `robot-eval serve`, or give this one its own `storage` or `database`",
  });
}
