import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { RunResults } from "../../src/core/interfaces/result.js";
import { robotEval, temporaryFolder } from "../support/cli.js";
import { PolicyProcess } from "../support/policy-process.js";
import { pythonEnvironment, testPython } from "../support/python.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const example = join(root, "examples/imitation");
const benchmark = join(example, "benchmark.yaml");
const python = testPython() ?? "";

async function run(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await robotEval(args, root);
  expect(code, stderr).toBe(0);
  return stdout;
}

/** The success rate of an agent on the example's 50 episodes. */
async function successOf(agent: string): Promise<number> {
  const out = temporaryFolder();
  const results: RunResults = JSON.parse(
    await run("run", benchmark, "--agent", agent, "--out", out, "--json"),
  );
  return results.per_task.opening?.manip_success?.mean ?? Number.NaN;
}

describe.skipIf(!python)("the imitation example", () => {
  it("the imitation example trains a policy whose success rate lies between those of the random agent and the expert", async () => {
    const folder = temporaryFolder();
    const [episodes, demos, policy] = ["train.json.gz", "demos", "policy.npz"].map((name) =>
      join(folder, name),
    );
    if (!episodes || !demos || !policy) throw new TypeError("no paths");
    await run("generate", "--task", "opening", "-n", "100", "--seed", "7", "--out", episodes);
    const trained = `dataset.opening.data_path=${episodes}`;
    await run("collect", benchmark, "--set", trained, "--out", demos);
    const training = spawnSync(python, [join(example, "train.py"), demos, "--out", policy], {
      // With several threads on busy cores, the small matrix products mostly wait for each other.
      env: { ...pythonEnvironment(), OPENBLAS_NUM_THREADS: "1" },
      encoding: "utf8",
    });
    expect(training.status, training.stderr).toBe(0);
    const served = new PolicyProcess([python, join(example, "policy.py"), policy, "--port", "0"]);
    const rate = await successOf(await served.url);
    // With 200 demonstrations 0.34 was measured; training rounds differently on other processors.
    expect(rate).toBeGreaterThan(0.1);
    expect(rate).toBeLessThan(0.9);
    expect(await successOf("random")).toBe(0);
    expect(await successOf("expert")).toBe(1);
  }, 900_000);
});
