import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/cli.js";
import { packagesOf, pythonWith, testPython } from "../support/python.js";

const root = fileURLToPath(new URL("../../python", import.meta.url));

function runPython(python: string, args: readonly string[], cwd: string, env = process.env) {
  const { status, stdout, stderr } = spawnSync(python, args, { cwd, env, encoding: "utf8" });
  return { status, said: `${stdout}${stderr}`.trim() };
}

describe("the Python SDK as a package", () => {
  it("the Python SDK, its examples and tests pass strict type checking", ({ skip }) => {
    const python = pythonWith(...packagesOf("test")) ?? skip();
    const { status, said } = runPython(python, ["-m", "mypy", "--cache-dir", "/dev/null"], root);
    expect(status, said).toBe(0);
  }, 300_000);

  it("the Python SDK can be installed with pip, has type information and reports its package version", ({
    skip,
  }) => {
    const python = testPython() ?? skip();
    const folder = temporaryFolder();
    const target = join(folder, "site");
    // Dependencies and build backend are installed already, so pip needs no network.
    const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"];
    const flags = ["--no-build-isolation", "--no-compile", "--target", target];
    const installed = runPython(python, [...install, ...flags, root], folder);
    expect(installed.status, installed.said).toBe(0);
    const program = [
      "import importlib.metadata as m, pathlib, robot_eval_client as r",
      "here = pathlib.Path(r.__file__).parent",
      "print(r.__version__ == m.version('robot-eval-client'), (here / 'py.typed').exists(), here)",
      "from robot_eval_client import Policy, serve, connect, PolicyServer, Chunk",
    ].join("\n");
    const env = { ...process.env, PYTHONPATH: target };
    expect(runPython(python, ["-c", program], folder, env)).toEqual({
      status: 0,
      said: `True True ${join(target, "robot_eval_client")}`,
    });
  }, 120_000);
});
