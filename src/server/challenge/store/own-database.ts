import { chmod, link, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as later } from "node:timers/promises";
import { z } from "zod";
import { openDatabase } from "../../../cluster/database/connect.js";
import { findPrograms, startEmbedded } from "../../../cluster/database/embedded.js";
import { type SupervisorEvents, superviseEmbedded } from "../../../cluster/database/supervised.js";
import { makeFolder } from "../../../config/output-path.js";
import { ConfigError, errorCode, errorMessage } from "../../../core/errors.js";
import { renameOver } from "../../../dataset/rename.js";

/** A command uses its database for a second or two; that of a killed server ends about as fast. */
const OPEN_TIMEOUT_MS = 30_000;
const RETRY_MS = 100;

/** A server shares its database with commands; a command does not share the one it started. */
export type Role = "serve" | "command";

export interface OwnDatabase {
  readonly url: string;
  /** Whether it ends with this process. */
  readonly isOwn: boolean;
  /** Stops the database if this process started it. */
  stop(): Promise<void>;
}

const noteSchema = z.object({
  role: z.enum(["serve", "command"]),
  pid: z.int(),
  /** Start time, which distinguishes processes with the same pid; null if the system does not provide it. */
  started: z.string().nullable(),
  /** Contains the password; null while the database starts or stops. */
  url: z.string().nullable(),
});
type Note = z.output<typeof noteSchema>;

/**
 * Opens the PostgreSQL server in a challenge's `storage`. The process that starts it owns it: only the owner stops it,
 * and it ends with the owner. Commands connect to the database of a running server. Other processes wait until a
 * command's database has ended and then start their own, so that it never stops while in use.
 */
export async function openOwnDatabase(
  storage: string,
  role: Role,
  events: SupervisorEvents = UNSUPERVISED,
): Promise<OwnDatabase> {
  // Fail before writing anything if PostgreSQL is not installed.
  await findPrograms();
  await makeStorage(storage);
  const place = join(storage, "database.json");
  const until = performance.now() + OPEN_TIMEOUT_MS;
  let trouble: unknown;
  for (;;) {
    const note = await readNote(place);
    if (note && (await isAlive(note))) {
      if (note.role === "serve" && note.url !== null && (await answers(note.url))) {
        return { url: note.url, isOwn: false, stop: async () => {} };
      }
      trouble = undefined;
    } else {
      if (note) await rm(place, { force: true });
      const own = await start(storage, place, role, events).catch((error: unknown) => {
        if (!isTaken(error)) throw error;
        trouble = error;
      });
      if (own) return own;
    }
    if (performance.now() > until) throw taken(place, note, trouble);
    await later(RETRY_MS);
  }
}

const UNSUPERVISED: SupervisorEvents = { onRestart: () => {}, onLost: () => {} };

/** Undefined if another process was faster. */
async function start(
  storage: string,
  place: string,
  role: Role,
  events: SupervisorEvents,
): Promise<OwnDatabase | undefined> {
  const note: Note = { role, pid: process.pid, started: await startOf(process.pid), url: null };
  if (!(await createNote(place, note))) return undefined;
  const data = join(storage, "database");
  let embedded: Pick<OwnDatabase, "url" | "stop">;
  try {
    // Only a server restarts its database; commands are too short to profit.
    embedded = role === "serve" ? await superviseEmbedded(data, events) : await startEmbedded(data);
  } catch (error) {
    await rm(place, { force: true });
    throw error;
  }
  const { url } = embedded;
  await rewrite(place, { ...note, url });
  return {
    url,
    isOwn: true,
    async stop() {
      // Without the url, other processes wait instead of connecting to a server that is stopping.
      await rewrite(place, note);
      await embedded.stop();
      await rm(place, { force: true });
    },
  };
}

/** Creates the note atomically; false if one already exists. */
async function createNote(place: string, note: Note): Promise<boolean> {
  const fresh = await written(place, note);
  try {
    await link(fresh, place);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  } finally {
    await rm(fresh, { force: true });
  }
}

async function rewrite(place: string, note: Note): Promise<void> {
  await renameOver(await written(place, note), place);
}

async function written(place: string, note: Note): Promise<string> {
  const fresh = `${place}.${process.pid}`;
  await writeFile(fresh, JSON.stringify(note), { mode: 0o600 });
  return fresh;
}

async function readNote(place: string): Promise<Note | undefined> {
  const text = await readFile(place, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return noteSchema.parse(JSON.parse(text));
  } catch {
    // Not a note of a running process: those are written atomically.
    await rm(place, { force: true });
    return undefined;
  }
}

/** The pid alone is not enough: in a container every server is process 1. */
async function isAlive({ pid, started }: Note): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
  return started === (await startOf(pid));
}

/** Start time of a process on Linux: field 22 of /proc/<pid>/stat, counted after the name in brackets. */
async function startOf(pid: number): Promise<string | null> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  return text?.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}

async function answers(url: string): Promise<boolean> {
  try {
    const database = await openDatabase(url, { connections: 1 });
    await database.close();
    return true;
  } catch {
    return false;
  }
}

/** PostgreSQL's lock file exists: the server of a dead owner has not ended yet. */
function isTaken(error: unknown): boolean {
  return /lock file .* already exists/.test(errorMessage(error));
}

function taken(place: string, note: Note | undefined, trouble: unknown): ConfigError {
  const who = note ? `process ${note.pid} (robot-eval ${nameOf(note.role)})` : "another process";
  return new ConfigError("database_in_use", `${who} uses the challenge's database exclusively`, {
    where: place,
    hint: note
      ? "wait until it has ended; if it is no process of robot-eval's, remove this file"
      : "end the PostgreSQL server of this folder, then try again",
    cause: trouble,
  });
}

function nameOf(role: Role): string {
  return role === "serve" ? "serve" : "challenge";
}

/** Under root, PostgreSQL runs as another user, who needs access to the folder. */
async function makeStorage(storage: string): Promise<void> {
  makeFolder(storage, 0o711);
  if (process.getuid?.() !== 0) return;
  const { mode } = await stat(storage);
  // The x bit allows access to known paths, not listing the folder.
  if ((mode & 0o011) !== 0o011) await chmod(storage, (mode & 0o777) | 0o011);
  for (let folder = dirname(storage); folder !== dirname(folder); folder = dirname(folder)) {
    const { mode: above } = await stat(folder);
    if ((above & 0o001) !== 0) continue;
    throw new ConfigError(
      "storage_closed",
      `PostgreSQL does not run as root, and other users cannot access ${folder} (mode ${(above & 0o777).toString(8)})`,
      {
        where: storage,
        hint: `set \`storage\` to a folder such as /var/lib/robot-eval; or run chmod o+x ${folder}; or start this as another user; or set \`database\``,
      },
    );
  }
}
