import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { RunResults } from "../../src/core/interfaces/result.js";
import { linesOf, robotEval, temporaryFolder } from "../support/cli.js";
import { running } from "../support/point-benchmark.js";
import { PolicyProcess } from "../support/policy-process.js";
import { pythonEnvironment, pythonWith } from "../support/python.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const support = (name: string) => join(root, "test/support", name);
// MuJoCo 4 has no place for robosuite 1.5.
const python = pythonWith("robosuite==1.5.2", "mujoco>=3.2,<3.4") ?? "";

describe.skipIf(!python)("robosuite behind the bridge", () => {
  it("is evaluated over WebSocket, and does to the bit what a plain Python loop does", async () => {
    const folder = temporaryFolder();
    const logs = join(folder, "logs");
    const example = join(root, "python/examples/robosuite_policy.py");
    const policy = new PolicyProcess([python, example, "--port", "0"]);
    const command = [python, "-m", "robot_eval_client.sim", "robosuite"];
    const { PYTHONPATH } = pythonEnvironment();
    const { code, stdout, stderr } = await robotEval(
      [
        ...["run", join(root, "configs/benchmarks/robosuite.yaml"), "--json"],
        ...["--agent", await policy.url, "--filter", "task=lift|stack", "--workers", "2"],
        ...["--out", join(folder, "out")],
        ...["--set", `simulator.command=${JSON.stringify(command)}`],
        ...["--set", `simulator.env=${JSON.stringify({ PYTHONPATH })}`],
        ...["--set", `simulator.log_dir=${logs}`],
      ],
      root,
    );
    policy.stop();
    expect(code, stderr).toBe(0);
    const run = JSON.parse(stdout) as RunResults;
    expect(run.episodes).toMatchObject({ total: 40, invalid: 0 });
    // A policy of straight moves may miss a cube now and then; one that acts on nonsense misses all.
    expect(run.episodes.success).toBeGreaterThanOrEqual(34);
    expect(run.per_task.stack?.completion_rate?.mean).toBeGreaterThanOrEqual(0.8);

    const loop = spawnSync(python, [support("robosuite_loop.py"), run.run_dir ?? ""], {
      encoding: "utf8",
    });
    expect(loop.status, loop.stderr).toBe(0);
    expect(JSON.parse(loop.stdout)).toMatchObject({ episodes: 40, different: [] });

    const [first] = await linesOf(run.run_dir);
    const key = first?.episode_key ?? "";
    const replayed = await robotEval(["replay", run.run_dir ?? "", key], root);
    expect([replayed.code, replayed.stdout + replayed.stderr]).toEqual([
      0,
      expect.stringMatching(/equal/),
    ]);
    const pids = spawnSync("grep", ["-rhoE", '"pid": ?[0-9]+', logs], { encoding: "utf8" });
    const ids = [...pids.stdout.matchAll(/\d+/g)].map(([id]) => Number(id));
    expect(ids.length).toBeGreaterThanOrEqual(2);
    await expect.poll(() => running(ids)).toEqual([]);
    expect(readFileSync(join(run.run_dir ?? "", "run.json"), "utf8")).toContain(
      '"backend": "remote"',
    );
  }, 1_800_000);
});
