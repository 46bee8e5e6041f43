import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunInfo } from "../../src/core/interfaces/result.js";
import {
  type CliResult,
  linesOf,
  robotEval,
  robotEvalHere,
  startRobotEval,
  temporaryFolder,
} from "../support/cli.js";
import {
  killRepeatedly,
  makeSlowWorld,
  mixedEpisodes,
  runIn,
  type SlowWorld,
} from "../support/kill.js";
import { contentOf, setAsideOf } from "../support/run-content.js";

const infoOf = (run: string): RunInfo => JSON.parse(readFileSync(join(run, "run.json"), "utf8"));

/** Waits for the command and checks its exit code. */
async function ended(result: Promise<CliResult>, code: number): Promise<CliResult> {
  const { stderr, ...rest } = await result;
  expect(rest.code, stderr).toBe(code);
  expect(stderr).not.toMatch(/^\s+at /m);
  return { stderr, ...rest };
}

/** Starting several processes takes long on a busy machine. */
const SEVERAL_PROCESSES = { timeout: 240_000 };

/** Runs the benchmark in this process without interruption and returns the run's directory. */
async function uninterrupted(world: SlowWorld, out = join(world.root, "whole")): Promise<string> {
  const [, , ...flags] = world.run;
  await ended(robotEvalHere(["run", world.yaml, ...flags, "--out", out, "--workers", "1"]), 0);
  return runIn(out) ?? "";
}

/** Starts a run and returns once it runs episodes. */
async function underWay(world: SlowWorld, ...flags: readonly string[]) {
  const cli = startRobotEval([...world.run, "--out", world.out, ...flags], world.root);
  await cli.said(" into ");
  return { cli, run: runIn(world.out) ?? "" };
}

async function resumed(run: string): Promise<string> {
  return (await ended(robotEvalHere(["resume", run, "--workers", "1"]), 0)).stderr;
}

describe("a run that is killed", SEVERAL_PROCESSES, () => {
  // test/soak/kill-resume kills runs many times.
  it("a run that is killed equals an uninterrupted run after it was resumed", async () => {
    const set = ["evaluation.repeats=2", "evaluation.retry_invalid=1"];
    const world = makeSlowWorld(mixedEpisodes(3), ...set);
    const whole = await uninterrupted(world);
    world.pause(20);
    const { runDir, kills, underWay } = await killRepeatedly(world, { kills: 1, seed: 3 });
    expect({ kills, underWay }).toEqual({ kills: 1, underWay: 1 });
    world.pause(0);
    await resumed(runDir);
    expect(await contentOf(runDir)).toEqual(await contentOf(whole));
  });
});

describe("an interrupted run", SEVERAL_PROCESSES, () => {
  it("an interrupted run prints the resume command on Ctrl-C, and equals an uninterrupted run when resumed", async () => {
    const world = makeSlowWorld(mixedEpisodes(1));
    const whole = await uninterrupted(world);
    world.pause(40);
    const { cli, run } = await underWay(world, "--concurrency", "2");
    cli.signal("SIGINT");
    const { stderr } = await ended(cli.done, 130);
    expect(stderr).toContain(`continue it: robot-eval resume ${run}`);
    expect(infoOf(run).status).toBe("cancelled");
    const done = (await linesOf(run)).length;
    expect(done).toBeGreaterThan(0);
    world.pause(0);
    expect(await resumed(run)).toContain(`${done} of them already done`);
    expect(await contentOf(run)).toEqual(await contentOf(whole));
    expect(infoOf(run)).toMatchObject({ status: "done", resumed: [{ done }] });
  });

  it("a run can be resumed after two Ctrl-C", async () => {
    const world = makeSlowWorld(mixedEpisodes(1));
    const whole = await uninterrupted(world);
    world.pause(600_000);
    const { cli, run } = await underWay(world);
    cli.signal("SIGINT");
    await cli.said("press Ctrl-C again");
    cli.signal("SIGINT");
    await ended(cli.done, 130);
    expect(infoOf(run).status).toBe("running");
    world.pause(0);
    await resumed(run);
    expect(await contentOf(run)).toEqual(await contentOf(whole));
  });

  it("a run cannot be resumed while another process holds its lock, but after that was killed", async () => {
    const world = makeSlowWorld(mixedEpisodes(1));
    const whole = await uninterrupted(world);
    world.pause(600_000);
    const { cli, run } = await underWay(world);
    const lock = join(run, "run.lock");
    const { pid } = JSON.parse(readFileSync(lock, "utf8")) as { pid: number };
    const { stderr } = await ended(robotEvalHere(["resume", run]), 2);
    expect(stderr).toContain(`error: ${lock}: process ${pid} is writing this run`);
    cli.signal("SIGKILL");
    await cli.done;
    expect(existsSync(lock)).toBe(true);
    world.pause(0);
    await resumed(run);
    expect(existsSync(lock)).toBe(false);
    expect(await contentOf(run)).toEqual(await contentOf(whole));
  });

  it("an interrupted run can be moved and resumed from another folder", async () => {
    const world = makeSlowWorld(mixedEpisodes(1));
    const whole = await uninterrupted(world);
    world.pause(40);
    const cli = startRobotEval([...world.run, "--out", "out"], world.root);
    await cli.said(" into ");
    cli.signal("SIGINT");
    await ended(cli.done, 130);
    const there = temporaryFolder();
    renameSync(runIn(world.out) ?? "", join(there, "moved"));
    mkdirSync(join(there, "deep"));
    world.pause(0);
    await ended(robotEval(["resume", "../moved"], join(there, "deep")), 0);
    expect(await contentOf(join(there, "moved"))).toEqual(await contentOf(whole));
  });
});

describe("invalid episodes", SEVERAL_PROCESSES, () => {
  it("invalid episodes are retried once after the agent is fixed, even if the resuming process is killed", async () => {
    const world = makeSlowWorld(mixedEpisodes(1));
    const run = await uninterrupted(world, world.out);
    const invalid = (await linesOf(run)).filter(({ outcome }) => outcome === "invalid");
    // Episodes to `a` are the agent's fault; those in the cellar fail because its graph is missing.
    expect(invalid).toHaveLength(9);
    world.repairAgent();
    const whole = await uninterrupted(world);
    world.pause(60);
    const cli = startRobotEval(["resume", run, "--retry-invalid"], world.root);
    await cli.said(" into ");
    cli.signal("SIGKILL");
    await cli.done;
    world.pause(0);
    await resumed(run);
    const names = new Set(invalid.map(({ episode_key }) => episode_key));
    const expected = (await contentOf(whole)).lines.map((line) =>
      names.has(line.episode_key) ? { ...line, attempt: 2 } : line,
    );
    expect((await contentOf(run)).lines).toEqual(expected);
    const aside = await setAsideOf(run);
    expect(new Set(aside.map(({ episode_key }) => episode_key))).toEqual(names);
    expect(aside.map(({ attempt }) => attempt)).toEqual(invalid.map(() => 1));
  });

  it("a run ends if the agent begins no episode, and can be resumed after it is fixed", async () => {
    // All episodes lead to `a`, where the broken agent gives no action.
    const episodes = mixedEpisodes(3).filter(({ episode_id }) => episode_id.endsWith("-a"));
    const world = makeSlowWorld(episodes, "evaluation.give_up_after=5");
    const first = await ended(robotEval([...world.run, "--out", world.out], world.root), 3);
    const run = runIn(world.out) ?? "";
    expect(first.stderr).toContain("the run was given up: the agent gave no action");
    expect(first.stderr).toContain(`continue it: robot-eval resume ${run} --retry-invalid`);
    expect(infoOf(run)).toMatchObject({
      status: "failed",
      warnings: [expect.stringContaining("gave no action in the last 5 episodes")],
    });
    expect((await linesOf(run)).length).toBeLessThan(episodes.length);
    world.repairAgent();
    await ended(robotEvalHere(["resume", run, "--retry-invalid", "--workers", "1"]), 0);
    const whole = await uninterrupted(world);
    const [lines, expected] = [(await contentOf(run)).lines, (await contentOf(whole)).lines];
    expect(lines.map((line) => ({ ...line, attempt: 1 }))).toEqual(expected);
    expect(infoOf(run)).toMatchObject({ status: "done", warnings: [] });
  });
});

describe("a run with another configuration", () => {
  async function finished(): Promise<{ world: SlowWorld; run: string }> {
    const world = makeSlowWorld(mixedEpisodes(1));
    return { world, run: await uninterrupted(world, world.out) };
  }

  async function refusal(args: readonly string[]): Promise<string> {
    return (await ended(robotEvalHere(args), 2)).stderr;
  }

  it("resume rejects a changed configuration, and the error names the keys, the file and what to do", async () => {
    const { world, run } = await finished();
    const state = () =>
      ["run.json", "episodes.jsonl", "summary.json"].map((name) => readFileSync(join(run, name)));
    const before = state();

    const set = await refusal(["resume", run, "--set", "evaluation.max_steps=13"]);
    expect(set).toContain("evaluation.max_steps (12, now 13)");
    const other = world.write("other.yaml", `${readFileSync(world.yaml, "utf8")}agent: random\n`);
    const named = await refusal(["resume", run, other]);
    expect(named).toContain(`error: ${other}: differs from the run's configuration:`);
    expect(named).toMatch(
      /success_distance \(1, now nothing\), evaluation\.max_steps \(12, now nothing\)/,
    );
    expect(named).toContain("start a new run");
    expect(await refusal(["resume", run, "--agent", "random"])).toContain(
      'agent ("slow-random", now "random")',
    );

    const yaml = join(run, "benchmark.yaml");
    const text = readFileSync(yaml, "utf8");
    writeFileSync(yaml, text.replace("profile: r2r", "profile: vlnce"));
    expect(await refusal(["resume", run])).toContain(`error: ${yaml}: differs from the run's`);
    writeFileSync(yaml, text);

    const data = join(world.root, "episodes", "vln.json");
    const episodes = readFileSync(data, "utf8");
    world.write("episodes/vln.json", episodes.replace("go to d", "run to d"));
    expect(await refusal(["resume", run])).toContain(`error: ${data}: the episodes of vln differ`);
    world.write("episodes/vln.json", episodes);

    expect(state()).toEqual(before);
    await ended(robotEvalHere(["resume", run, "--workers", "1"]), 0);
  });
});
