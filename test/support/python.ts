import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const CACHE = join(root, "node_modules/.cache/test-python");

/** Packages of `npm test` besides the SDK's. All files share one environment, because creating one takes many seconds. */
const TEST_PACKAGES = ["pygame", "mcap", "jsonschema", "pyarrow", "prometheus_client", "hatchling"];

/** The Python of all tests except those of large simulators and other projects; see `pythonWith`. */
export function testPython(): string | undefined {
  return pythonWith(...packagesOf("sim"), ...packagesOf("runs"), ...TEST_PACKAGES);
}

/**
 * A Python with the SDK's dependencies, pytest and further packages, in a virtual environment that persists
 * between runs. Undefined without Python or a package index, which is an error under CI.
 */
export function pythonWith(...packages: readonly string[]): string | undefined {
  const key = createHash("sha256").update(pyproject()).update(packages.join(" ")).digest("hex");
  const venv = join(CACHE, key.slice(0, 12));
  const python = join(venv, "bin/python");
  if (existsSync(python)) return python;
  const wanted = ["pytest", ...packages];
  mkdirSync(CACHE, { recursive: true });
  const made = spawnSync("sh", ["-c", MAKE_VENV, "sh", venv, join(root, "python"), ...wanted], {
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (made.status === 0) return python;
  const why = `no Python with ${wanted.join(", ")} can be had here`;
  if (process.env.CI) throw new Error(`${why}: under CI these tests must run`);
  process.stderr.write(`SKIPPED: ${why}\n`);
  return undefined;
}

/**
 * Creates the environment $1 with the packages $2, $3, ... uv installs them in a tenth of pip's time; pip does where uv
 * cannot be installed or does not find the package index. A lock, where the system has `flock`, makes concurrent test
 * files wait; the rename makes the environment appear complete. Modules are not compiled here, because Python compiles
 * those that are imported, which is quicker.
 */
const MAKE_VENV = `
venv=$1; shift
if command -v flock >/dev/null; then exec 9>"$venv.lock"; flock 9; fi
[ -x "$venv/bin/python" ] && exit 0
making="$venv.$$"
trap 'rm -rf "$making"' EXIT
pip() { "$making/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile --prefer-binary "$@"; }
uv() { "$making/bin/python" -m uv pip install --quiet --python "$making/bin/python" "$@"; }
python3 -m venv "$making" &&
{ { pip uv && uv \${PIP_INDEX_URL:+--index-url "$PIP_INDEX_URL"} "$@"; } || pip "$@"; } &&
mv "$making" "$venv"
`;

/** Runs a program whose output is one JSON document, and returns that; throws with what it wrote to stderr. */
export function jsonFromPython<T>(
  python: string | undefined,
  program: string,
  ...args: readonly string[]
): T {
  const encoding = "utf8";
  const { stdout, stderr, status } = spawnSync(python ?? "", ["-c", program, ...args], {
    encoding,
  });
  if (status !== 0 || stderr !== "") throw new Error(`exit code ${status}: ${stderr}`);
  return JSON.parse(stdout) as T;
}

/** The packages of an extra in the SDK's pyproject.toml. */
export function packagesOf(extra: string): readonly string[] {
  const line = new RegExp(`^${extra} = (\\[.*\\])$`, "m").exec(pyproject().toString())?.[1];
  if (line === undefined) throw new Error(`pyproject.toml has no extra ${extra}`);
  return JSON.parse(line);
}

function pyproject(): Buffer {
  return readFileSync(join(root, "python/pyproject.toml"));
}

/** Imports the SDK from the source tree, not the installed copy. */
export function pythonEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, PYTHONPATH: join(root, "python/src"), PYTHONUNBUFFERED: "1" };
}
