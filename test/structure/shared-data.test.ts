import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/cli.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const HELPER = "test/shared-data.ts";

/** Matches paths to a sibling or parent folder `shared`, except module imports. */
function outsidePaths(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(/(?:\.\.\/)+shared(?![\w-])[\w./-]*|"\.\.", "shared"/g)]
    .map(([path]) => path)
    .filter((path) => {
      const target = resolve(root, dirname(file), path.replace(/\.js$/, ".ts"));
      return !(path.endsWith(".js") && target.startsWith(root) && existsSync(target));
    });
}

describe("the folder of published data", () => {
  it("the folder of published data is referenced only by its helper", () => {
    const files = ["src", "test", "web/src", "bench", "scripts", "examples", "python"]
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
          (name) => `${folder}/${name.replaceAll("\\", "/")}`,
        ),
      )
      .filter((name) => /\.(ts|tsx|js|mjs|py)$/.test(name) && !name.includes("node_modules/"));
    expect(files.length).toBeGreaterThan(1000);
    expect(outsidePaths(HELPER)).not.toEqual([]);
    const allowed = [HELPER, "test/shared-data-report.ts", "test/structure/shared-data.test.ts"];
    const naming = files.filter((name) => !allowed.includes(name) && outsidePaths(name).length > 0);
    expect(naming, `use describeWithSharedData and sharedData of ${HELPER}`).toEqual([]);
  });
});

const SUITE = `import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { describeWithSharedData, sharedData } from ${JSON.stringify(join(root, HELPER))};

describeWithSharedData("a published file", () => {
  it("is read", () => expect(readFileSync(sharedData("ndh/a.txt"), "utf8")).toBe("hello"));
  it("has a name", () => expect(sharedData("ndh/a.txt")).toMatch(/a\\.txt$/));
});
it("is beside it", () => {});
`;

const AT_COLLECTION = `import { it } from "vitest";
import { describeWithSharedData, sharedData } from ${JSON.stringify(join(root, HELPER))};

describeWithSharedData("a published file", () => {
  const path = sharedData("ndh/a.txt");
  it("is there", () => path);
});
`;

describe("tests on published data", () => {
  let folder: string;

  beforeAll(() => {
    folder = temporaryFolder();
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    mkdirSync(join(folder, "data/ndh"), { recursive: true });
    writeFileSync(join(folder, "data/ndh/a.txt"), "hello");
    writeFileSync(join(folder, "suite.test.ts"), SUITE);
    writeFileSync(join(folder, "at-collection.test.ts"), AT_COLLECTION);
    writeFileSync(
      join(folder, "vitest.config.ts"),
      `import { sharedDataReport } from ${JSON.stringify(join(root, "test/shared-data-report.ts"))};
const project = (name) => ({ extends: true, test: { name, include: [name + ".test.ts"] } });
export default {
  plugins: [sharedDataReport],
  test: { pool: "threads", projects: [project("suite"), project("at-collection")] },
};
`,
    );
  });

  /** Runs one of the suites in a separate vitest. */
  async function run(file: string, env: Readonly<Record<string, string>>) {
    const { ROBOT_EVAL_REQUIRE_SHARED: _, ROBOT_EVAL_SHARED_DATA: __, ...rest } = process.env;
    const vitest = join(root, "node_modules/vitest/vitest.mjs");
    const child = spawn(process.execPath, [vitest, "run", file, "--reporter=json"], {
      cwd: folder,
      env: { ...rest, CI: "true", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const said = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      said.stdout += chunk;
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      said.stderr += chunk;
    });
    const code = await new Promise((end) => child.once("close", end));
    const report = said.stdout.slice(said.stdout.indexOf("{"));
    const { numPassedTests, numPendingTests } = JSON.parse(report);
    return { ...said, code, passed: numPassedTests, skipped: numPendingTests };
  }

  const PRESENT = { ROBOT_EVAL_SHARED_DATA: "data" };
  const MISSING = { ROBOT_EVAL_SHARED_DATA: "no-such-folder" };

  it("tests on published data run if the folder is present", async () => {
    const found = await run("suite.test.ts", { ...PRESENT, ROBOT_EVAL_REQUIRE_SHARED: "1" });
    expect(found).toMatchObject({ code: 0, passed: 3, skipped: 0 });
    expect(found.stderr).not.toContain("SKIPPED");
  });

  it("tests on published data are skipped under CI if the folder is missing, and counted in one line", async () => {
    const found = await run("suite.test.ts", MISSING);
    expect(found).toMatchObject({ code: 0, passed: 1, skipped: 2 });
    expect(found.stderr.match(/^!!! SKIPPED 2 tests in 1 test files: .*$/gm)).toHaveLength(1);
  });

  it("tests on published data fail if the folder is missing and ROBOT_EVAL_REQUIRE_SHARED=1", async () => {
    const found = await run("suite.test.ts", { ...MISSING, ROBOT_EVAL_REQUIRE_SHARED: "1" });
    expect(found).toMatchObject({ code: 1, passed: 1, skipped: 0 });
    expect(found.stdout).toContain("ROBOT_EVAL_REQUIRE_SHARED=1 demands it");
  });

  it("tests on published data fail if a path is requested during test collection, even if the folder is present", async () => {
    const found = await run("at-collection.test.ts", PRESENT);
    expect(found).toMatchObject({ code: 1, passed: 0 });
    expect(found.stdout).toContain("not while tests are collected");
  });
});
