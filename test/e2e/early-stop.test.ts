import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { RunResults } from "../../src/core/interfaces/result.js";
import { linesOf, robotEval, robotEvalHere, startRobotEval, type World } from "../support/cli.js";
import { COUNT, HALF_WIDTH, makeStopWorld, STOPS_EARLY } from "../support/early-stop.js";
import { runIn } from "../support/kill.js";
import { contentOf, setAsideOf } from "../support/run-content.js";
import { sampled } from "../support/sampled.js";

const RUN = [
  ...["run", "benchmark.yaml", "--agent", "strays"],
  ...STOPS_EARLY.flatMap((text) => ["--set", text]),
];

async function stopped(world: World, out: string, ...flags: readonly string[]) {
  const args = [...RUN.with(1, world.yaml), "--out", join(world.root, out), "--json", ...flags];
  // With one worker the episodes run in this thread, so the command can too.
  const command = flags[1] === "1" ? robotEvalHere : robotEval;
  const { code, stdout, stderr } = await command(args, world.root);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as RunResults;
}

describe("a run that may stop early", { timeout: 240_000 }, () => {
  let world: World;
  let alone: RunResults;
  beforeAll(async () => {
    world = makeStopWorld();
    alone = await stopped(world, "one", "--workers", "1");
  });

  it("a run stops early when the interval is narrow enough and records it", async () => {
    const { early_stop, per_task, aggregated_metrics, episodes, status } = alone;
    const counted = early_stop?.vln?.counted ?? 0;
    expect(status).toBe("done");
    expect(early_stop).toEqual({
      vln: { metric: "success", half_width: HALF_WIDTH, reached: true, counted, of: COUNT },
    });
    expect(counted).toBeGreaterThanOrEqual(30);
    expect(counted).toBeLessThan(COUNT / 2);
    expect(episodes.total).toBe(counted);
    const success = per_task.vln?.success;
    expect(success).toMatchObject({ ci_method: "sequential", count: counted });
    expect(aggregated_metrics.success).toEqual(success);
    const [low, high] = success?.ci95 ?? [0, 1];
    expect(high - low).toBeLessThanOrEqual(2 * HALF_WIDTH);
    // The agent succeeds in three of four episodes, so the interval must contain 0.75.
    expect(low).toBeLessThan(0.75);
    expect(high).toBeGreaterThan(0.75);
    expect(await linesOf(alone.run_dir)).toHaveLength(counted);
  });

  it("a run stops early at the same episode with several workers or sessions, and sets later episodes aside", async () => {
    const expected = await contentOf(alone.run_dir ?? "");
    const all = [
      ["--workers", "3"],
      ["--workers", "1", "--concurrency", "4"],
    ];
    for (const flags of sampled(all, 1)) {
      const results = await stopped(world, flags.join(""), ...flags);
      expect(await contentOf(results.run_dir ?? "")).toEqual(expected);
      const beyond = await setAsideOf(results.run_dir ?? "");
      const counted = new Set(expected.lines.map(({ episode_key }) => episode_key));
      for (const line of beyond) {
        expect(line).toMatchObject({ why: "after_early_stop" });
        expect(counted.has(line.episode_key)).toBe(false);
      }
    }
  });

  it("a run stops early at the same episode when it is killed and resumed", async () => {
    // Each worker hangs after eight episodes, before the run may stop. A worker that starts late may leave the other
    // one's ninth episode as the first missing one, after which no line is written.
    world.write("most_episodes", "8");
    const cli = startRobotEval([...RUN, "--out", "killed", "--workers", "2"], world.root);
    await cli.said(" into ");
    const run = runIn(join(world.root, "killed")) ?? "";
    while ((await linesOf(run)).length < 8) await new Promise((done) => setTimeout(done, 20));
    cli.signal("SIGKILL");
    await cli.done;
    const { length } = await linesOf(run);
    expect(length).toBeLessThan(alone.early_stop?.vln?.counted ?? 0);
    world.write("most_episodes", "Infinity");
    const resumed = await robotEval(["resume", run, "--workers", "2"], world.root);
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(await contentOf(run)).toEqual(await contentOf(alone.run_dir ?? ""));
  });
});
