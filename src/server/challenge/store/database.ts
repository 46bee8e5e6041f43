import { resolve } from "node:path";
import type { SupervisorEvents } from "../../../cluster/database/supervised.js";
import type { LoadedChallenge } from "../load.js";
import { type OwnDatabase, openOwnDatabase, type Role } from "./own-database.js";
import type { ChallengeStore } from "./postgres-store.js";
import { openChallengeStore } from "./postgres-store.js";

const VARIABLE = "ROBOT_EVAL_DATABASE";

export interface ChallengeDatabase {
  /** Contains the password: do not log it. */
  readonly url: string;
  /** Whether it ends with this process. */
  readonly isOwn: boolean;
  readonly store: ChallengeStore;
  /** Closes the store, and stops the database if this process started it. */
  stop(): Promise<void>;
}

/** The challenge's data folder, relative to its file, so that every command finds the same one. */
export function storageOf({ config, baseDir }: LoadedChallenge): string {
  return resolve(baseDir, config.storage);
}

/**
 * Opens the challenge's database: the one that the file or the environment names, else an embedded server in
 * `storage` (own-database.ts).
 */
export async function openChallengeDatabase(
  loaded: LoadedChallenge,
  role: Role,
  events?: SupervisorEvents,
): Promise<ChallengeDatabase> {
  const named = loaded.config.database ?? process.env[VARIABLE];
  const database: OwnDatabase =
    named !== undefined && named !== ""
      ? { url: named, isOwn: false, stop: async () => {} }
      : await openOwnDatabase(storageOf(loaded), role, events);
  try {
    const store = await openChallengeStore(database.url);
    return {
      url: database.url,
      isOwn: database.isOwn,
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
