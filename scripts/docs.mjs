// Builds the documentation site in site/, or in the folder given: README, docs/ and the API reference, with a search.
// `npm run docs` runs it.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
// A separate package with an older TypeScript, because typedoc needs a compiler API that TypeScript 7 does not have.
const tools = join(root, "tools", "docs");
const site = resolve(process.argv[2] ?? join(root, "site"));
const onWindows = process.platform === "win32";

function run(command, args, shell = false) {
  const { status, error } = spawnSync(command, args, { cwd: tools, stdio: "inherit", shell });
  if (error) console.error(`${command}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

// On Windows npm is a .cmd file, which only a shell can start. The arguments are constant, so this is safe.
run("npm", ["ci", "--no-audit", "--no-fund"], onWindows);
rmSync(site, { recursive: true, force: true });
run(process.execPath, [join(tools, "node_modules", "typedoc", "bin", "typedoc"), "--out", site]);
