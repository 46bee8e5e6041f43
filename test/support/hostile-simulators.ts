import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { loadConfig } from "../../src/config/load.js";
import { UnifiedRobotEvaluator } from "../../src/evaluator/evaluator.js";
import { linesOf } from "./cli.js";
import { type PointBenchmark, pointBenchmark, running } from "./point-benchmark.js";

/** Invalid answers that end their episode, and the expected error. */
export const WRONG: Readonly<Record<string, RegExp>> = {
  exit: /connection is closed/,
  "reset:exit": /connection is closed/,
  half_frame: /connection is closed/,
  huge_frame: /connection is closed/,
  huge_array: /cannot be read/,
  deep: /cannot be read/,
  big_state: /cannot be read: the state has about 20 MiB/,
  seq: /cannot be read.*seq/,
  type: /cannot be read.*type/,
  observation: /cannot be read.*observation/,
  state: /cannot be read.*state/,
  success: /cannot be read.*success/,
  reward: /cannot be read.*reward/,
  reward_nan: /cannot be read.*reward/,
  subtasks: /cannot be read.*subtasks/,
  objects: /cannot be read.*objects/,
  gripper: /cannot be read.*gripper/,
  ee_pos: /cannot be read.*ee_pos: must be 3 finite numbers/,
  ee_pos_nan: /cannot be read.*ee_pos/,
  ee_pos_short: /cannot be read.*ee_pos/,
  object_pos: /cannot be read.*ball.pos/,
  qpos_nan: /cannot be read.*qpos/,
  time_s: /cannot be read.*time_s/,
  done: /cannot be read.*done/,
  unasked: /answered with `geometry`/,
  goodbye: /answered with `closed`/,
};

/** Limits for simulators that never answer. */
export const SHORT = { step_timeout_s: 0.5, reset_timeout_s: 5 };

/** Misbehaviours instead of answering in time. */
export const SILENT: Readonly<Record<string, RegExp>> = {
  never: /no answer to `step`/,
  "reset:never": /no answer to `reset`/,
  endless_stdout: /no answer to `step`/,
  endless_stderr: /no answer to `step`/,
  slow_bytes: /no answer to `step`/,
  heartbeats: /no answer to `step`|more frames than/,
  many_frames: /no answer to `step`|more frames than/,
  late_answers: /no answer to `step`|more frames than/,
};

export function hostileBenchmark(modes: readonly string[], simulator: object = {}) {
  return pointBenchmark({
    script: "hostile-simulator.mjs",
    episodes: modes.length,
    env: (i) => ({ mode: modes[i] }),
    config: { subtasks: ["near"], max_steps: 5 },
    simulator: { step_timeout_s: 60, ...simulator },
  });
}

export async function evaluate({ yaml, out }: PointBenchmark) {
  const { run_dir, status } = await new UnifiedRobotEvaluator(loadConfig(yaml), {
    ...{ agent: "random", outDir: out },
  }).run();
  return { status, lines: await linesOf(run_dir) };
}

/** Ids of the processes that the simulator has started. */
export function started({ root }: PointBenchmark): number[] {
  const file = join(root, "pids");
  // It may have been killed before it could write the file.
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").map(Number) : [];
}

/** The simulator's processes that are still running. */
export function left(benchmark: PointBenchmark): number[] {
  return running(started(benchmark));
}

/** Alternates each mode with a well-behaved episode, to check that only its own episode fails. */
export async function expectOneInvalidEpisode(
  ways: Readonly<Record<string, RegExp>>,
  modes: readonly string[],
  simulator: object = {},
) {
  const benchmark = hostileBenchmark(
    modes.flatMap((mode) => [mode, ""]),
    simulator,
  );
  const { status, lines } = await evaluate(benchmark);
  expect(status).toBe("done");
  const found = modes.map((mode, i) => {
    const [bad, well] = [lines[2 * i], lines[2 * i + 1]];
    const message = bad?.error?.message ?? "";
    const reason = ways[mode]?.test(message) ? "expected error" : message.slice(0, 300);
    return [mode, bad?.outcome, bad?.fault, reason, well?.outcome];
  });
  expect(found).toEqual(
    modes.map((mode) => [mode, "invalid", "platform", "expected error", "success"]),
  );
  await expect.poll(() => left(benchmark), { timeout: 20_000 }).toEqual([]);
  const logs = join(benchmark.root, "logs");
  for (const name of readdirSync(logs)) {
    expect(statSync(join(logs, name)).size).toBeLessThanOrEqual(2 * 2 ** 20);
  }
}
