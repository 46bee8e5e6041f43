import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { z } from "zod";
import { type EmbeddedDatabase, startEmbedded } from "../../cluster/database/embedded.js";
import type { LoadedChallenge } from "./load.js";
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
 * `storage`. One that another process has started there, as `serve` does, is shared.
 */
export async function openChallengeDatabase(loaded: LoadedChallenge): Promise<ChallengeDatabase> {
  const url = loaded.config.database ?? process.env[VARIABLE];
  if (url !== undefined && url !== "") return connected(url);
  const storage = storageOf(loaded);
  // The database's own user passes through it where we are root; nobody else may look what is in it.
  await mkdir(storage, { recursive: true, mode: 0o711 });
  const note = join(storage, "database.json");
  const running = await readNote(note);
  if (running !== undefined) return connected(running);
  const embedded = await startEmbedded(join(storage, "database"));
  await writeFile(note, JSON.stringify({ url: embedded.url, pid: process.pid }), { mode: 0o600 });
  try {
    return await connected(embedded.url, () => leave(embedded, note));
  } catch (error) {
    await leave(embedded, note);
    throw error;
  }
}

async function connected(
  url: string,
  stop: () => Promise<void> = async () => {},
): Promise<ChallengeDatabase> {
  const store = await openChallengeStore(url);
  return {
    url,
    store,
    async stop() {
      await store.close();
      await stop();
    },
  };
}

async function leave(embedded: EmbeddedDatabase, note: string): Promise<void> {
  await rm(note, { force: true });
  await embedded.stop();
}

const noteSchema = z.object({ url: z.string(), pid: z.int() });

/** The address of a server that is running there; one that died with its process left only its note. */
async function readNote(note: string): Promise<string | undefined> {
  const text = await readFile(note, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const { url, pid } = noteSchema.parse(JSON.parse(text));
    process.kill(pid, 0);
    return url;
  } catch {
    return undefined;
  }
}
