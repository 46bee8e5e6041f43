import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { robotEval, robotEvalHere, temporaryFolder } from "../support/cli.js";
import { PolicyProcess } from "../support/policy-process.js";
import { testPython } from "../support/python.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const python = testPython();

describe("robot-eval init", () => {
  let project = "";
  beforeAll(async () => {
    project = join(temporaryFolder(), "new", "project");
    const { code, stdout } = await robotEvalHere(["init", project]);
    expect(code).toBe(0);
    const written = stdout.trimEnd().split("\n");
    expect(
      readdirSync(project)
        .map((name) => join(project, name))
        .sort(),
    ).toEqual(written.sort());
  });

  it("robot-eval init writes a schema line that leads to the schema, and a README of at most ten lines", () => {
    const [, schema = ""] =
      /\$schema=(\S+)/.exec(readFileSync(join(project, "benchmark.yaml"), "utf8")) ?? [];
    expect(JSON.parse(readFileSync(join(project, schema), "utf8")).title).toContain("benchmark");
    const readme = readFileSync(join(project, "README.md"), "utf8").trimEnd().split("\n");
    expect(readme.length).toBeLessThanOrEqual(10);
  });

  it("robot-eval init writes a project that runs without an installation, with its own task and metric", async () => {
    const run = ["run", "benchmark.yaml", "--limit", "2", "--workers", "2", "--json"];
    const { code, stdout, stderr } = await robotEval(run, project);
    expect(code, stderr).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      episodes: { total: 2, success: 2 },
      per_task: { precise_vln: { turn_share: { count: 2 } } },
    });
    expect(existsSync(join(project, "runs"))).toBe(true);
  });

  it("robot-eval init writes a plugin that the TypeScript compiler accepts", () => {
    mkdirSync(join(project, "node_modules"));
    symlinkSync(root, join(project, "node_modules/robot-eval"));
    const compiler = createRequire(import.meta.url).resolve("typescript/package.json");
    const tsc = join(dirname(compiler), "bin/tsc");
    const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", project], {
      encoding: "utf8",
    });
    expect(status, stdout).toBe(0);
  });

  it.skipIf(!python)(
    "robot-eval init writes a policy in Python that can be evaluated",
    async () => {
      const policy = new PolicyProcess([python ?? "", join(project, "policy.py"), "0"]);
      const run = ["run", "benchmark.yaml", "--limit", "1", "--json", "--agent", await policy.url];
      const { code, stdout, stderr } = await robotEval(run, project);
      expect(code, stderr).toBe(0);
      expect(JSON.parse(stdout).episodes).toMatchObject({ total: 1, invalid: 0 });
    },
  );
});

describe("a project whose plugin Node.js cannot load", () => {
  /** What `validate` says of a benchmark with this plugin, in a folder as `npm init` makes it. */
  async function rejection(plugin: string, text: string): Promise<string> {
    const folder = join(temporaryFolder(), "project");
    await robotEvalHere(["init", folder]);
    writeFileSync(join(folder, "package.json"), '{ "type": "commonjs" }');
    writeFileSync(join(folder, plugin), text);
    const set = ["--set", `plugins=["./${plugin}"]`];
    const { code, stderr } = await robotEval(["validate", "benchmark.yaml", ...set], folder);
    expect(code, stderr).toBe(2);
    return stderr;
  }

  it("a project whose plugin Node.js cannot load is told the line of TypeScript syntax that cannot be erased", async () => {
    const stderr = await rejection("plugin.ts", "const a = 1;\nenum B { C }\nexport default a;\n");
    expect(stderr).toMatch(/the plugin "\.\/plugin\.ts" does not load: .*enum/);
    expect(stderr).not.toContain("[object Object]");
  });

  it.each(["export default () => {};", 'import "robot-eval";'])(
    "a project whose plugin Node.js cannot load is told to name the file .mjs if it has %s and is read as CommonJS",
    async (text) => {
      expect(await rejection("plugin.js", text)).toContain("name it .mjs");
    },
  );
});

describe("robot-eval init with bad input", () => {
  it("robot-eval init rejects a folder that is not empty and writes nothing", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "mine.txt"), "");
    const { code, stderr } = await robotEvalHere(["init", folder]);
    expect(code).toBe(2);
    expect(stderr).toContain("the folder is not empty: it holds mine.txt");
    expect(readdirSync(folder)).toEqual(["mine.txt"]);
  });

  it("robot-eval init rejects a file, and a folder that cannot be created", async () => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");
    for (const [path, said] of [
      [file, "found a file, expected a folder or nothing"],
      [join(file, "below"), "found a file, expected a folder"],
      [join(dirname(file), "x".repeat(300)), "cannot be written"],
    ] as const) {
      const { code, stderr } = await robotEvalHere(["init", path]);
      expect([code, stderr.includes(said)], stderr).toEqual([2, true]);
    }
  });
});
