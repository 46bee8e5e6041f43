// Makes the API reference in docs/api from the public entry points. `npm run docs` runs it.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
// A package of its own, with an older TypeScript: typedoc needs a compiler API, and TypeScript 7 has none.
const tools = join(root, "tools", "docs");
const onWindows = process.platform === "win32";

function run(command, args, shell = false) {
  const { status, error } = spawnSync(command, args, { cwd: tools, stdio: "inherit", shell });
  if (error) console.error(`${command}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

// npm is a .cmd file on Windows, which only a shell can start. No argument comes from outside.
run("npm", ["ci", "--no-audit", "--no-fund"], onWindows);
rmSync(join(root, "docs", "api"), { recursive: true, force: true });
run(process.execPath, [join(tools, "node_modules", "typedoc", "bin", "typedoc")]);
