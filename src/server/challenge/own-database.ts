import { chmod, link, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as later } from "node:timers/promises";
import { z } from "zod";
import { openDatabase } from "../../cluster/database/connect.js";
import { type EmbeddedDatabase, startEmbedded } from "../../cluster/database/embedded.js";
import { ConfigError, errorCode, errorMessage } from "../../core/errors.js";

/** A command's database is there for a second or two; a server that was killed has its own end about as soon. */
const PATIENCE_MS = 30_000;
const LOOK_MS = 100;

/** Who wants it: a server shares its database with commands, a command keeps the one that it started to itself. */
export type Role = "serve" | "command";

export interface OwnDatabase {
  readonly url: string;
  /** Stops it where it was started here; else it stays whose it is. */
  stop(): Promise<void>;
}

const noteSchema = z.object({
  role: z.enum(["serve", "command"]),
  pid: z.int(),
  /** By which a process is told from a later one with the same number; null where the system does not tell. */
  started: z.string().nullable(),
  /** With the password; null while it is being started or stopped. */
  url: z.string().nullable(),
});
type Note = z.output<typeof noteSchema>;

/**
 * The PostgreSQL server under a challenge's `storage`. Whoever finds none there starts it and owns it: nobody else
 * stops it, and it ends with its owner. Commands use a server's database beside it. What a command has started ends
 * with the command, so others wait for that and then start their own: none is left without its database half-way.
 */
export async function openOwnDatabase(storage: string, role: Role): Promise<OwnDatabase> {
  await makeStorage(storage);
  const place = join(storage, "database.json");
  const until = performance.now() + PATIENCE_MS;
  let trouble: unknown;
  for (;;) {
    const note = await readNote(place);
    if (note && (await isAlive(note))) {
      if (note.role === "serve" && note.url !== null && (await answers(note.url))) {
        return { url: note.url, stop: async () => {} };
      }
      trouble = undefined;
    } else {
      if (note) await rm(place, { force: true });
      const own = await start(storage, place, role).catch((error: unknown) => {
        if (!isTaken(error)) throw error;
        trouble = error;
      });
      if (own) return own;
    }
    if (performance.now() > until) throw taken(place, note, trouble);
    await later(LOOK_MS);
  }
}

/** Undefined where another was quicker. */
async function start(storage: string, place: string, role: Role): Promise<OwnDatabase | undefined> {
  const note: Note = { role, pid: process.pid, started: await startOf(process.pid), url: null };
  if (!(await putDown(place, note))) return undefined;
  let embedded: EmbeddedDatabase;
  try {
    embedded = await startEmbedded(join(storage, "database"));
  } catch (error) {
    await rm(place, { force: true });
    throw error;
  }
  const { url } = embedded;
  await rewrite(place, { ...note, url });
  return {
    url,
    async stop() {
      // Who comes now waits instead of finding a server that is about to go.
      await rewrite(place, note);
      await embedded.stop();
      await rm(place, { force: true });
    },
  };
}

/** The note is there whole, or not at all; false where there is one already. */
async function putDown(place: string, note: Note): Promise<boolean> {
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
  await rename(await written(place, note), place);
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
    // None of ours that could be under way: those are written whole.
    await rm(place, { force: true });
    return undefined;
  }
}

/** A number alone is not enough: in a container every server is process 1. */
async function isAlive({ pid, started }: Note): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
  return started === (await startOf(pid));
}

/** When a process was started, where the system has it in a file (Linux): the 22nd field, after the name in brackets. */
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

/** PostgreSQL's own lock: the server of somebody who is gone has not ended yet. */
function isTaken(error: unknown): boolean {
  return /lock file .* already exists/.test(errorMessage(error));
}

function taken(place: string, note: Note | undefined, trouble: unknown): ConfigError {
  const who = note ? `process ${note.pid} (robot-eval ${nameOf(note.role)})` : "another process";
  return new ConfigError("database_in_use", `${who} has the challenge's database to itself`, {
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

/** Where we are root the database has a user of its own, who must be let through to it. */
async function makeStorage(storage: string): Promise<void> {
  await mkdir(storage, { recursive: true, mode: 0o711 });
  if (process.getuid?.() !== 0) return;
  const { mode } = await stat(storage);
  // To pass through is not to look what is in it.
  if ((mode & 0o011) !== 0o011) await chmod(storage, (mode & 0o777) | 0o011);
  for (let folder = dirname(storage); folder !== dirname(folder); folder = dirname(folder)) {
    const { mode: above } = await stat(folder);
    if ((above & 0o001) !== 0) continue;
    throw new ConfigError(
      "storage_closed",
      `PostgreSQL does not run as root, and no other user may pass through ${folder} (mode ${(above & 0o777).toString(8)})`,
      {
        where: storage,
        hint: `set \`storage\` to a folder such as /var/lib/robot-eval; or let others pass: chmod o+x ${folder}; or start this as another user; or name a \`database\``,
      },
    );
  }
}
