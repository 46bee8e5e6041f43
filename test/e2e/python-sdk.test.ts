import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { RunResults } from "../../src/core/interfaces/result.js";
import { linesOf, robotEval, temporaryFolder } from "../support/cli.js";
import { PolicyProcess } from "../support/policy-process.js";
import { pythonEnvironment, testPython } from "../support/python.js";
import { sampled } from "../support/sampled.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const python = testPython() ?? "";

function run(args: readonly string[], options: { cwd: string; env?: NodeJS.ProcessEnv }) {
  return new Promise<{ status: number | null; said: string }>((resolve) => {
    const child = execFile(python, args, options, (_, stdout, stderr) =>
      resolve({ status: child.exitCode, said: `${stdout}${stderr}`.trim() }),
    );
  });
}

// Concurrent, because the SDK's own tests mostly wait.
describe.skipIf(!python).concurrent("the Python SDK", () => {
  it("the Python SDK passes its own pytest suite", async () => {
    const cwd = join(root, "python");
    const { status, said } = await run(
      ["-m", "pytest", "tests", "-q", "-rs", "-p", "no:cacheprovider"],
      {
        cwd,
        env: { ...pythonEnvironment(), PYTHONDONTWRITEBYTECODE: "1" },
      },
    );
    expect(status, said).toBe(0);
    expect(said).toMatch(/\d+ passed/);
    // Tests of simulators that are too large to install here; test/soak runs those of robosuite.
    const skipped = [...said.matchAll(/^SKIPPED .*?(\w+)\.py/gm)].map(([, file]) => file);
    expect(skipped.sort()).toEqual(["test_maniskill", "test_model_files", "test_robosuite"]);
  }, 300_000);

  it.each(
    sampled(
      [
        ["vln_policy.py", "vln_challenge.yaml", "vln"],
        ["pick_place_policy.py", "manipulation_challenge.yaml", "pick_place"],
      ],
      1,
    ),
  )(
    "the Python example %s can be evaluated without faults",
    async (script, benchmark, task) => {
      const policy = new PolicyProcess([
        python,
        join(root, "python/examples", script),
        "--port",
        "0",
      ]);
      const folder = temporaryFolder();
      const { code, stdout, stderr } = await robotEval(
        [
          ...["run", join(root, "configs/benchmarks", benchmark), "--filter", `task=${task}`],
          ...["--agent", await policy.url, "--first", "2", "--out", folder, "--json"],
          ...["--set", "evaluation.max_steps=25"],
        ],
        folder,
      );
      await policy.kill();
      expect(code, `${stderr}\n${policy.said}`).toBe(0);
      const lines = await linesOf((JSON.parse(stdout) as RunResults).run_dir);
      expect(lines).toHaveLength(2);
      for (const { outcome, fault, steps } of lines) {
        expect({ outcome, fault }).not.toMatchObject({ outcome: "invalid" });
        expect(fault).toBeUndefined();
        expect(steps).toBeGreaterThan(0);
      }
    },
    180_000,
  );
});
