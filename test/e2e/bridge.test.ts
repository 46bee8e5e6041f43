import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/load.js";
import type { EpisodeLine, RunResults } from "../../src/core/interfaces/result.js";
import { auditRun } from "../../src/evaluator/check/audit-run.js";
import { replayRun } from "../../src/evaluator/check/replay/replay-run.js";
import { type EvaluatorOptions, UnifiedRobotEvaluator } from "../../src/evaluator/evaluator.js";
import { linesOf, startRobotEval } from "../support/cli.js";
import { advanceWhen, stopClock } from "../support/clock.js";
import { type PointBenchmark, pointBenchmark, running } from "../support/point-benchmark.js";

function evaluate(benchmark: PointBenchmark, options: EvaluatorOptions = {}): Promise<RunResults> {
  return new UnifiedRobotEvaluator(loadConfig(benchmark.yaml), {
    agent: "random",
    outDir: benchmark.out,
    ...options,
  }).run();
}

const linesOfRun = ({ run_dir }: RunResults): Promise<EpisodeLine[]> => linesOf(run_dir);

describe("a benchmark in a remote simulator", () => {
  it("a run in a remote simulator takes success from it, is recorded, and replays exactly", async () => {
    const benchmark = pointBenchmark();
    const run = await evaluate(benchmark);
    expect(run.episodes).toEqual({ total: 6, success: 6, failure: 0, invalid: 0 });
    expect(run.aggregated_metrics.completion_rate?.mean).toBe(1);
    expect(run.aggregated_metrics.success_once?.mean).toBe(1);
    expect((await linesOfRun(run)).every((line) => !("nondeterministic" in line))).toBe(true);
    const replay = await replayRun(run.run_dir ?? "");
    expect([replay.equal, replay.different]).toEqual([6, []]);
    const audit = await auditRun(run.run_dir ?? "");
    expect([audit.equal, audit.broken]).toEqual([6, []]);
    expect(running(benchmark.pids())).toEqual([]);
  });

  it("a run in a remote simulator explains a failure by its sub-conditions and by what ended the episode", async () => {
    const run = await evaluate(pointBenchmark({ episodes: 1, env: () => ({ horizon: 5 }) }));
    const [line] = await linesOfRun(run);
    expect([line?.outcome, line?.end_reason]).toEqual(["failure", "done"]);
    expect(line?.explanation).toMatch(
      /^reached near \(step \d\) but never there \(the simulator ended it after 5 steps\); last reward 0\.\d+$/,
    );
  });

  it("a run in a nondeterministic simulator is marked and not replayed", async () => {
    const run = await evaluate(pointBenchmark({ episodes: 2, args: ["--chance"] }));
    const lines = await linesOfRun(run);
    expect(lines.map(({ nondeterministic }) => nondeterministic)).toEqual([true, true]);
    await expect(replayRun(run.run_dir ?? "")).rejects.toThrow("is not deterministic");
    await expect(auditRun(run.run_dir ?? "")).rejects.toThrow("is not deterministic");
  });
});

describe("a simulator that fails during a run", () => {
  const WAYS = ["crash_at", "hang_at", "garbage_at", "error_at", "bad_state_at"];

  it("a failing simulator invalidates only its own episodes, which succeed when retried", async () => {
    const benchmark = pointBenchmark({
      episodes: 6,
      env: (i) => ({ [WAYS[i] ?? "none"]: i % 2 === 0 ? 3 : 0, once: "" }),
      simulator: { reset_timeout_s: 60 },
      evaluation: { retry_invalid: 1 },
    });
    stopClock();
    const hasHung = () => existsSync(join(benchmark.root, "1.failed"));
    const [run] = await Promise.all([evaluate(benchmark), advanceWhen(hasHung, 60_000)]);
    expect(run.episodes).toEqual({ total: 6, success: 6, failure: 0, invalid: 0 });
    const attempts = Object.fromEntries(
      (await linesOfRun(run)).map(({ episode_id, attempt }) => [episode_id, attempt]),
    );
    expect(attempts).toEqual({ 0: 2, 1: 2, 2: 2, 3: 2, 4: 2, 5: 1 });
    expect(running(benchmark.pids())).toEqual([]);
  });

  it("a simulator crash is a platform fault, reported with its last output", async () => {
    const run = await evaluate(pointBenchmark({ episodes: 2, env: () => ({ crash_at: 2 }) }));
    const [line] = await linesOfRun(run);
    expect(line).toMatchObject({ outcome: "invalid", fault: "platform", steps: 1 });
    expect(line?.error?.message).toContain("Segmentation fault in episode");
  });

  it("the line of the episode has the last output of a crashed simulator and the path of its log", async () => {
    const benchmark = pointBenchmark({
      episodes: 2,
      env: (i) => (i === 0 ? { crash_at: 2 } : {}),
      simulator: { log_dir: undefined },
    });
    const run = await evaluate(benchmark);
    const [crashed, well] = await linesOfRun(run);
    expect([crashed?.outcome, well?.outcome]).toEqual(["invalid", "success"]);
    for (const text of [crashed?.error?.message, crashed?.explanation]) {
      expect(text).toMatch(/Segmentation fault in episode 0\n[\s\S]*code 139\n/);
      expect(text).toContain("its log: logs/simulator-reach-1.log of the run");
    }
    const logs = join(run.run_dir ?? "", "logs");
    expect(readdirSync(logs).sort()).toEqual(["simulator-reach-1.log", "simulator-reach-2.log"]);
    const text = readFileSync(join(logs, "simulator-reach-1.log"), "utf8");
    // The log includes output from before the run directory existed.
    expect(text).toMatch(/^a line that is no port[\s\S]*Segmentation fault in episode 0/);
  });

  it("a simulator that cannot be started again ends the run", async () => {
    const benchmark = pointBenchmark({
      episodes: 6,
      env: () => ({ crash_at: 1, spoil: true }),
    });
    await expect(evaluate(benchmark)).rejects.toThrow("could not be started 3 times in a row");
  });

  it("a simulator of another protocol version stops the run before it begins", async () => {
    const benchmark = pointBenchmark({ args: ["--version=2"] });
    await expect(evaluate(benchmark)).rejects.toThrow("uses version 2");
    expect(running(benchmark.pids())).toEqual([]);
  });
});

describe("simulators of several workers", () => {
  it("each worker has its own simulator process; killed ones fail only their episodes and leave no processes", async () => {
    const benchmark = pointBenchmark({
      episodes: 24,
      env: () => ({ step_ms: 20 }),
      evaluation: { retry_invalid: 2 },
      simulator: { log_dir: undefined },
    });
    const cli = startRobotEval(
      ["run", benchmark.yaml, "--agent", "random", "--workers", "2", "--out", benchmark.out],
      benchmark.root,
    );
    await expect.poll(() => benchmark.pids().length, { timeout: 60_000 }).toBe(2);
    for (let kills = 0; kills < 3; kills++) {
      const before = benchmark.pids();
      const [victim] = running(before);
      if (victim !== undefined) process.kill(victim, "SIGKILL");
      await expect
        .poll(() => benchmark.pids().length, { timeout: 60_000 })
        .toBeGreaterThan(before.length);
    }
    const { code, stdout, stderr } = await cli.done;
    expect([code, stderr]).toEqual([0, expect.stringMatching(/24\/24 .* 0 invalid/)]);
    expect(stdout).toContain("manip_success");
    await expect.poll(() => running(benchmark.pids()), { timeout: 30_000 }).toEqual([]);
  }, 180_000);

  it("simulators exit when the evaluator is killed, even if they hang", async () => {
    const benchmark = pointBenchmark({
      episodes: 4,
      env: (i) => (i % 2 === 0 ? { spin_at: 1 } : { step_ms: 1000 }),
      args: ["--deaf"],
      simulator: { step_timeout_s: 60 },
    });
    const cli = startRobotEval(
      ["run", benchmark.yaml, "--agent", "random", "--workers", "2", "--out", benchmark.out],
      benchmark.root,
    );
    await expect.poll(() => benchmark.pids().length, { timeout: 60_000 }).toBe(2);
    cli.signal("SIGKILL");
    await cli.done;
    await expect.poll(() => running(benchmark.pids()), { timeout: 60_000 }).toEqual([]);
  }, 180_000);
});
