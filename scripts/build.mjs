// Compiles src/ to dist/, web/ to dist/web/, and marks the command executable. src/ is not bundled: what
// ships is the same module tree as the source, so a stack trace names the file that a reader would open.
import { spawnSync } from "node:child_process";
import { chmodSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");

rmSync(join(root, "dist"), { recursive: true, force: true });
const { status } = spawnSync(process.execPath, [tsc, "-p", join(root, "tsconfig.build.json")], {
  stdio: "inherit",
});
if (status !== 0) process.exit(status ?? 1);
const vite = join(dirname(require.resolve("vite/package.json")), "bin", "vite.js");
const web = spawnSync(process.execPath, [vite, "build", "--logLevel", "warn", join(root, "web")], {
  stdio: "inherit",
});
if (web.status !== 0) process.exit(web.status ?? 1);
chmodSync(join(root, "dist", "cli", "main.js"), 0o755);
