import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { RunResults } from "../../src/core/interfaces/result.js";
import { linesOf, robotEval, temporaryFolder } from "../support/cli.js";
import { PolicyProcess } from "../support/policy-process.js";
import { testPython } from "../support/python.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const python = testPython() ?? "";

/** An episode in which the example finds the object early, and control steps in which it does. */
const KNOWN = { id: "54", steps: 600 };

describe.skipIf(!python)("the rearrangement baseline in Python", () => {
  it("the rearrangement baseline in Python finds the object by its sensors in a shipped episode", async () => {
    const example = join(root, "python/examples/rearrange_policy.py");
    const policy = new PolicyProcess([python, example, "--port", "0"]);
    const folder = temporaryFolder();
    const { code, stdout, stderr } = await robotEval(
      [
        ...["run", join(root, "configs/benchmarks/rearrange_challenge.yaml"), "--json"],
        ...["--agent", await policy.url, "--filter", `id=${KNOWN.id}`, "--out", folder],
        ...["--set", `evaluation.max_steps=${KNOWN.steps}`],
      ],
      root,
    );
    await policy.kill();
    expect(code, `${stderr}\n${policy.said}`).toBe(0);
    const { run_dir } = JSON.parse(stdout) as RunResults;
    const [line] = await linesOf(run_dir);
    expect(line?.fault).toBeUndefined();
    expect(line?.metrics, policy.said).toMatchObject({ stage_find_object: 1 });
    expect(policy.said).not.toMatch(/Traceback/);
  });
});
