import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { arch, platform } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const CACHE = fileURLToPath(new URL("../../node_modules/.cache/test-node", import.meta.url));

/**
 * The executable of another Node.js version, installed from the package registry into a cache that persists between
 * tests. Undefined if it is not available, which fails under CI.
 *
 * @param range an npm version range: `latest`, `20`
 */
export function nodeOf(range: string): string | undefined {
  if (new RegExp(`^${range}\\.`).test(process.versions.node)) return process.execPath;
  const version = versionOf(range) ?? cachedVersion(range);
  const program = version === undefined ? undefined : programOf(version);
  if (program !== undefined) return program;
  const why = `Node ${range} (${PACKAGE}) cannot be installed here`;
  if (process.env.CI) throw new Error(`${why}: under CI these tests must run`);
  process.stderr.write(`SKIPPED: ${why}\n`);
  return undefined;
}

/**
 * Each platform's executable is a separate package. The package `node` is not used, because it installs them with a
 * script, and scripts are often disabled.
 */
const PACKAGE = (() => {
  const system = platform() === "win32" ? "win" : platform();
  // For this platform the plain name belongs to an unrelated package.
  const prefix = system === "darwin" && arch() === "arm64" ? "node-bin" : "node";
  return `${prefix}-${system}-${arch()}`;
})();

const PROGRAM = join("node_modules", PACKAGE, "bin", platform() === "win32" ? "node.exe" : "node");

/** The newest version in the range; undefined if the registry does not answer. */
function versionOf(range: string): string | undefined {
  const { status, stdout } = npm(["view", `${PACKAGE}@${range}`, "version", "--json"]);
  if (status !== 0) return undefined;
  const found: unknown = JSON.parse(stdout);
  return newest(Array.isArray(found) ? found.map(String) : [String(found)]);
}

function cachedVersion(range: string): string | undefined {
  const names = existsSync(CACHE) ? readdirSync(CACHE) : [];
  const isInRange = (name: string) => range === "latest" || name.startsWith(`${range}.`);
  return newest(names.filter((name) => /^[\d.]+$/.test(name) && isInRange(name)));
}

function newest(versions: readonly string[]): string | undefined {
  return versions.toSorted((a, b) => a.localeCompare(b, "en", { numeric: true })).at(-1);
}

function programOf(version: string): string | undefined {
  const folder = join(CACHE, version);
  const program = join(folder, PROGRAM);
  if (existsSync(program)) return program;
  const making = `${folder}.${process.pid}.partial`;
  mkdirSync(making, { recursive: true });
  const flags = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", making];
  const { status } = npm(["install", ...flags, `${PACKAGE}@${version}`]);
  try {
    if (status === 0 && existsSync(join(making, PROGRAM))) renameSync(making, folder);
  } catch {
    // Another process installed it first; use its copy.
  }
  rmSync(making, { recursive: true, force: true });
  return existsSync(program) ? program : undefined;
}

function npm(args: readonly string[]) {
  return spawnSync("npm", args, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    shell: platform() === "win32",
  });
}
