import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Where vitest.config.ts gives each test file modules of its own. */
const ALONE = /^test\/(peers|portability|soak)\/|^src\/evaluator\/output\.test\.ts$/;

const files = ["src", "test", "web/src"]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map(
      (name) => `${folder}/${name.replaceAll("\\", "/")}`,
    ),
  )
  .filter((name) => name.endsWith(".ts") && !ALONE.test(name));

const matching = (names: readonly string[], pattern: RegExp) =>
  names.filter((name) => pattern.test(readFileSync(join(root, name), "utf8")));

describe("modules that test files share", () => {
  it("modules that test files share register no hooks, which would run for the first file only (use test/support/clean-up.ts)", () => {
    const fixtures = files.filter((name) => !name.endsWith(".test.ts") && name !== "test/setup.ts");
    expect(matching(fixtures, /^(after|before)(All|Each)\(/m)).toEqual([]);
  });

  it("modules that test files share are not mocked", () => {
    const tests = files.filter((name) => name.endsWith(".test.ts"));
    expect(matching(tests, /^\s*vi\.mock\(/m)).toEqual([]);
  });
});
