// npm run evidence <name>: runs an experiment of test/soak at full size and writes its table to evidence/<name>.md.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const soak = join(root, "test/soak");
const names = readdirSync(soak)
  .filter((file) => file.endsWith(".test.ts"))
  .filter((file) => readFileSync(join(soak, file), "utf8").includes("writeEvidence("))
  .map((file) => file.slice(0, -".test.ts".length));

const [name = "", ...rest] = process.argv.slice(2);
if (!names.includes(name) || rest.length > 0) {
  const what =
    name === "" ? "no experiment given" : `unknown experiment "${[name, ...rest].join(" ")}"`;
  console.error(`${what}; valid: ${names.join(", ")}\nexample: npm run evidence ${names[0]}`);
  process.exit(2);
}
const require = createRequire(import.meta.url);
const vitest = join(dirname(require.resolve("vitest/package.json")), "vitest.mjs");
const args = ["run", "--config", "vitest.soak.config.ts", `test/soak/${name}.test.ts`];
const { status } = spawnSync(process.execPath, [vitest, ...args], {
  cwd: root,
  env: { ...process.env, ROBOT_EVAL_EVIDENCE: "1" },
  stdio: "inherit",
});
process.exit(status ?? 1);
