import { resolve } from "node:path";
import type { LoadedChallenge } from "./load.js";
import { type OwnDatabase, openOwnDatabase, type Role } from "./own-database.js";
import { openChallengeStore } from "./postgres-store.js";
import type { ChallengeStore } from "./store.js";

const VARIABLE = "ROBOT_EVAL_DATABASE";

export interface ChallengeDatabase {
  /** With its password: not for logs. */
  readonly url: string;
  readonly store: ChallengeStore;
  /** Closes the store, and stops the server where it was started here. */
  stop(): Promise<void>;
}

/** The challenge's own folder; relative to its file, so that every command finds the same. */
export function storageOf({ config, baseDir }: LoadedChallenge): string {
  return resolve(baseDir, config.storage);
}

/**
 * The challenge's database: the one that the file or the environment names, else a server of its own under
 * `storage`, which own-database.ts shares out.
 */
export async function openChallengeDatabase(
  loaded: LoadedChallenge,
  role: Role,
): Promise<ChallengeDatabase> {
  const named = loaded.config.database ?? process.env[VARIABLE];
  const database: OwnDatabase =
    named !== undefined && named !== ""
      ? { url: named, stop: async () => {} }
      : await openOwnDatabase(storageOf(loaded), role);
  try {
    const store = await openChallengeStore(database.url);
    return {
      url: database.url,
      store,
      async stop() {
        await store.close();
        await database.stop();
      },
    };
  } catch (error) {
    await database.stop();
    throw error;
  }
}
