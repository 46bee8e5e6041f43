import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { packagesOf, pythonWith } from "../support/python.js";

const root = fileURLToPath(new URL("../../python", import.meta.url));
const python = pythonWith(...packagesOf("test")) ?? "";

describe.skipIf(!python)("the Python SDK, its examples and tests", () => {
  it("the Python SDK, its examples and tests pass strict type checking", () => {
    const mypy = ["-m", "mypy", "--cache-dir", "/dev/null"];
    const { status, stdout, stderr } = spawnSync(python, mypy, { cwd: root, encoding: "utf8" });
    expect(status, `${stdout}${stderr}`).toBe(0);
  }, 300_000);
});
