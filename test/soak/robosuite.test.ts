import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { RunResults } from "../../src/core/interfaces/result.js";
import { linesOf, robotEval, startRobotEval, temporaryFolder } from "../support/cli.js";
import { running } from "../support/point-benchmark.js";
import { PolicyProcess } from "../support/policy-process.js";
import { packagesOf, pythonEnvironment, pythonWith } from "../support/python.js";

const root = fileURLToPath(new URL("../../", import.meta.url));
const python = pythonWith(...packagesOf("robosuite")) ?? "";

/** Arguments of `robot-eval run` with two simulator processes. */
function argumentsOf(agent: string, out: string, ...more: readonly string[]): string[] {
  const command = [python, "-m", "robot_eval_client.sim", "robosuite"];
  const { PYTHONPATH } = pythonEnvironment();
  return [
    ...["run", join(root, "configs/benchmarks/robosuite.yaml"), "--json", "--workers", "2"],
    ...["--agent", agent, "--out", out],
    ...["--set", `simulator.command=${JSON.stringify(command)}`],
    ...["--set", `simulator.env=${JSON.stringify({ PYTHONPATH })}`],
    ...more,
  ];
}

/** Starts the example policy, which lifts and stacks cubes. */
function policyUrl(): Promise<string> {
  const example = join(root, "python/examples/robosuite_policy.py");
  return new PolicyProcess([python, example, "--port", "0"]).url;
}

/** Process ids of a run's simulators, read from their logs. */
function pidsIn(runDir: string): number[] {
  const logs = join(runDir, "logs");
  const names = existsSync(logs) ? readdirSync(logs) : [];
  return names.flatMap((name) =>
    [...readFileSync(join(logs, name), "utf8").matchAll(/"pid": ?(\d+)/g)].map(([, pid]) =>
      Number(pid),
    ),
  );
}

/** Differences between the run's records and a plain Python loop with the same seeds and actions. */
function plainLoop(runDir: string | null): object {
  const script = join(root, "test/support/robosuite_loop.py");
  const loop = spawnSync(python, [script, runDir ?? ""], { encoding: "utf8" });
  expect(loop.status, loop.stderr).toBe(0);
  return JSON.parse(loop.stdout);
}

async function runOf(args: readonly string[]): Promise<RunResults> {
  const { code, stdout, stderr } = await robotEval(args, root);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout);
}

describe.skipIf(!python)("robosuite behind the bridge", () => {
  it("robosuite over WebSocket has exactly the results of a plain Python loop", async () => {
    const out = temporaryFolder();
    const run = await runOf(argumentsOf(await policyUrl(), out, "--filter", "task=lift|stack"));
    expect(run.episodes).toMatchObject({ total: 40, invalid: 0 });
    // The scripted policy misses some cubes; with wrong observations it would miss all.
    expect(run.episodes.success).toBeGreaterThanOrEqual(34);
    expect(run.per_task.stack?.completion_rate?.mean).toBeGreaterThanOrEqual(0.8);
    expect(plainLoop(run.run_dir)).toMatchObject({ episodes: 40, different: [] });

    const lines = await linesOf(run.run_dir);
    const replayed = await robotEval(
      ["replay", run.run_dir ?? "", lines[0]?.episode_key ?? ""],
      root,
    );
    expect([replayed.code, replayed.stdout + replayed.stderr]).toEqual([
      0,
      expect.stringMatching(/equal/),
    ]);
    const pids = pidsIn(run.run_dir ?? "");
    expect(pids.length).toBeGreaterThanOrEqual(2);
    await expect.poll(() => running(pids)).toEqual([]);
  }, 1_800_000);

  it("retried robosuite episodes have identical results after random kills", async () => {
    const out = temporaryFolder();
    const cli = startRobotEval(
      argumentsOf(
        await policyUrl(),
        out,
        ...["--filter", "task=lift|stack", "--first", "4", "--run-id", "killed"],
        ...["--set", "evaluation.retry_invalid=2"],
      ),
      root,
    );
    const runDir = join(out, "killed");
    const killed = new Set<number>();
    let isOver = false;
    void cli.done.then(() => {
      isOver = true;
    });
    // Each episode has three attempts, so two kills cannot make one invalid.
    while (!isOver && killed.size < 2) {
      await pause(2000 + 4000 * Math.random());
      // The oldest process most likely runs an episode; three that die during start-up would end the run.
      const [victim] = running(pidsIn(runDir)).sort((a, b) => a - b);
      if (victim === undefined) continue;
      process.kill(victim, "SIGKILL");
      killed.add(victim);
    }
    const { code, stdout, stderr } = await cli.done;
    expect(code, stderr).toBe(0);
    const run: RunResults = JSON.parse(stdout);
    expect(killed.size).toBeGreaterThanOrEqual(2);
    expect(run.episodes).toMatchObject({ total: 8, invalid: 0 });
    const lines = await linesOf(run.run_dir);
    expect(Math.max(...lines.map(({ attempt }) => attempt))).toBeGreaterThan(1);
    expect(plainLoop(run.run_dir)).toMatchObject({ episodes: 8, different: [] });
    await expect.poll(() => running(pidsIn(runDir)), { timeout: 30_000 }).toEqual([]);
  }, 1_800_000);

  it("robosuite matches the plain Python loop for the can and door tasks too", async () => {
    const run = await runOf(
      argumentsOf("random", temporaryFolder(), "--filter", "task=can|door", "--first", "2"),
    );
    expect(run.episodes).toMatchObject({ total: 4, invalid: 0 });
    expect(plainLoop(run.run_dir)).toMatchObject({ episodes: 4, different: [] });
  }, 1_800_000);

  it("the robosuite adapter passes its own tests", () => {
    const { status, stdout, stderr } = spawnSync(
      python,
      [
        "-m",
        "pytest",
        "tests/sim/test_robosuite.py",
        "tests/sim/test_model_files.py",
        "-q",
        "-p",
        "no:cacheprovider",
      ],
      { cwd: join(root, "python"), env: pythonEnvironment(), encoding: "utf8" },
    );
    expect(status, stdout + stderr).toBe(0);
    expect(stdout).toMatch(/\d+ passed/);
    expect(stdout).not.toMatch(/skipped/);
  }, 1_800_000);
});
