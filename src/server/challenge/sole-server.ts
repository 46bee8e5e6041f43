import { setTimeout as later } from "node:timers/promises";
import type { PoolClient } from "pg";
import { openDatabase, withoutPassword } from "../../cluster/database/connect.js";
import { ConfigError } from "../../core/errors.js";

/** Of an advisory lock in the challenge's database: any number, as long as nothing else there uses it. */
const LOCK = 7_264_519_003;
/** The database frees the lock of a server that died when it notices, which is soon. */
const PATIENCE_MS = 5000;
const AGAIN_MS = 250;

/**
 * Makes sure that no other server has this challenge: it would take our submissions under way for those of a server
 * that died, and end them. The lock is the connection's, so it is free again however we end.
 *
 * @returns what gives it back
 */
export async function beSoleServer(
  url: string,
  onFault: (error: unknown) => void,
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
      void keep();
    });
    return true;
  };
  /** After the database was away: it is back, and the lock is anybody's. */
  const keep = async () => {
    while (!closed) {
      await later(AGAIN_MS, undefined, { ref: false });
      const mine = closed || (await lock().catch(() => undefined));
      if (mine === undefined) continue;
      if (!mine && !closed) onFault(alreadyServed(url));
      return;
    }
  };
  const close = async () => {
    closed = true;
    held?.removeAllListeners("error").on("error", () => {});
    held?.release(true);
    await database.close();
  };
  const until = performance.now() + PATIENCE_MS;
  try {
    while (!(await lock())) {
      if (performance.now() > until) throw alreadyServed(url);
      await later(AGAIN_MS);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return close;
}

function alreadyServed(url: string): ConfigError {
  return new ConfigError("already_served", "another server has this challenge", {
    where: withoutPassword(url),
    hint: "one `robot-eval serve` for each database: stop the other, or give this one its own `storage` or `database`",
  });
}
