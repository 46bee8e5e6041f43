import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const CACHE = join(root, "node_modules/.cache/test-python");

/**
 * A Python that has what the client SDK needs, pytest and further packages, in a virtual environment that is
 * kept from test to test; undefined where there is no Python or no package index, which fails under CI.
 */
export function pythonWith(...packages: readonly string[]): string | undefined {
  const key = createHash("sha256").update(pyproject()).update(packages.join(" ")).digest("hex");
  const venv = join(CACHE, key.slice(0, 12));
  const python = join(venv, "bin/python");
  if (existsSync(python)) return python;
  const making = `${venv}.${process.pid}.${Math.floor(performance.now() * 1000)}`;
  mkdirSync(dirname(venv), { recursive: true });
  const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
  const wanted = [join(root, "python"), "pytest", ...packages];
  const made =
    run("python3", ["-m", "venv", making]) &&
    run(join(making, "bin/python"), [...install, ...wanted]);
  if (made) {
    try {
      renameSync(making, venv);
    } catch {
      // Another test was quicker; its environment is as good.
      rmSync(making, { recursive: true, force: true });
    }
    return python;
  }
  rmSync(making, { recursive: true, force: true });
  const why = `no Python with ${wanted.slice(1).join(", ")} can be had here`;
  if (process.env.CI) throw new Error(`${why}: under CI these tests must run`);
  process.stderr.write(`SKIPPED: ${why}\n`);
  return undefined;
}

/** What the SDK's pyproject.toml asks for under an extra's name. */
export function packagesOf(extra: string): readonly string[] {
  const line = new RegExp(`^${extra} = (\\[.*\\])$`, "m").exec(pyproject().toString())?.[1];
  if (line === undefined) throw new Error(`pyproject.toml has no extra ${extra}`);
  return JSON.parse(line);
}

/** One environment for all tests of Gymnasium worlds; pygame draws the small ones. */
export function pythonWithGymnasium(): string | undefined {
  return pythonWith(...packagesOf("sim"), "pygame");
}

function pyproject(): Buffer {
  return readFileSync(join(root, "python/pyproject.toml"));
}

/** The SDK as it stands in the source, whatever was installed. */
export function pythonEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, PYTHONPATH: join(root, "python/src"), PYTHONUNBUFFERED: "1" };
}

function run(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: ["ignore", "inherit", "inherit"] }).status === 0;
}
