import { appendFileSync, cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { RunComparison, RunComparisons } from "../../src/runs/compare/documents.js";
import {
  episodeDict,
  evaluate,
  makeWorld,
  robotEvalHere,
  temporaryFolder,
  type World,
} from "../support/cli.js";

/** Twelve episodes, so that a difference in all of them is statistically significant. */
const episodes = () =>
  ["hall", "yard"].flatMap((scene) =>
    ["1", "2", "3", "4", "5", "6"].map((id) => episodeDict(id, "a", "d", scene)),
  );

type Options = Parameters<typeof evaluate>[1];

async function runOf(world: World, options: Options): Promise<string> {
  return (await evaluate(world, options)).run_dir ?? "";
}

const compare = (...args: readonly string[]) => robotEvalHere(["compare", ...args]);

async function document<T>(...args: readonly string[]): Promise<T> {
  const { code, stdout, stderr } = await compare(...args, "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as T;
}

describe("robot-eval compare", () => {
  const world = makeWorld(episodes());
  let good = "";
  let bad = "";
  beforeAll(async () => {
    good = await runOf(world, { agent: "shortest-path" });
    bad = await runOf(world, { agent: "shortest-path", set: ["evaluation.max_steps=1"] });
  });

  it("robot-eval compare shows the difference, changed settings, end reasons and explanations", async () => {
    const { code, stdout, stderr } = await compare(good, bad);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("12 shared episodes");
    expect(stdout).toMatch(
      /vln +success +1\.000 +0\.000 +-1\.000 +\[-1\.000, -0\.515\] .* worse +12/,
    );
    expect(stdout).toMatch(/navigation_error .* \(worse\)/);
    expect(stdout).toContain("vln: success is worse in B, by -1.000 [-1.000, -0.515]");
    expect(stdout).toMatch(/config\.evaluation\.max_steps +– +1\n/);
    expect(stdout).toMatch(/vln +stop +max_steps +12\n/);
    expect(stdout).toContain("failure in A, success in B: 0");
    expect(stdout).toMatch(
      /success in A, failure in B: 12\n {2}vln\/hall\/1\n {4}A stop: .*\n {4}B max_steps: /,
    );
    expect(stdout).toContain("and 2 more (--flips, --json)");
  });

  it("robot-eval compare shows the requested number of flipped episodes", async () => {
    expect((await compare(good, bad, "--flips", "12")).stdout).toContain("vln/yard/6");
    const none = (await compare(good, bad, "--flips", "0")).stdout;
    expect(none).toMatch(/success in A, failure in B: 12$/m);
    expect(none).not.toContain("vln/hall/1");
  });

  it("robot-eval compare prints one document with --json, with every flipped episode in it", async () => {
    const result = await document<RunComparison>(good, bad);
    expect(result).toMatchObject({
      format: "robot-eval-compare/1",
      a: { run_dir: good, status: "done" },
      episodes: { shared: 12, only_a: 0, only_b: 0, invalid: 0, compared: 12 },
      tests: 1,
      changed: [{ key: "config.evaluation.max_steps", b: 1 }],
      changed_ends: [{ task: "vln", a: "stop", b: "max_steps", count: 12 }],
    });
    expect(result.metrics[0]).toMatchObject({ metric: "success", verdict: "worse", primary: true });
    expect(result.flipped.to_failure).toHaveLength(12);
    expect(result.flipped_episodes).toHaveLength(12);
  });

  it("robot-eval compare compares several runs with the first in one document", async () => {
    const { format, baseline, comparisons } = await document<RunComparisons>(good, bad, good);
    expect(format).toBe("robot-eval-comparisons/1");
    expect(baseline.run_dir).toBe(good);
    expect(comparisons.map(({ b, tests }) => [b.run_dir, tests])).toEqual([
      [bad, 2],
      [good, 2],
    ]);
    const { stdout } = await compare(good, bad, good);
    expect(stdout.match(/12 shared episodes/g)).toHaveLength(2);
    expect(stdout).toContain("note: A and B are the same run");
    expect(stdout).toContain("vln: success is the same in every episode");
  });

  it("robot-eval compare exits with 4 on request if and only if a primary metric is worse", async () => {
    const worse = await compare(good, bad, "--fail-if-worse");
    expect(worse).toMatchObject({ code: 4, stderr: `worse: success of vln in ${bad}\n` });
    expect(await compare(bad, good, "--fail-if-worse")).toMatchObject({ code: 0, stderr: "" });
    expect(await compare(good, good, "--fail-if-worse")).toMatchObject({ code: 0, stderr: "" });
  });

  it("robot-eval compare fails for a run without valid episodes", async () => {
    const lost = makeWorld([episodeDict("1", "a", "x")]);
    const run = await runOf(lost, {});
    const { code, stdout, stderr } = await compare(run, run, "--fail-if-worse");
    expect(stdout).toContain("1 shared episode (not compared: 1 invalid in one)");
    expect(stdout).toMatch(/^vln: no episode was judged in both runs/m);
    expect(stdout).toMatch(/not compared: 1\n {2}vln\/hall\/1\n {4}A not counted \(data fault\)/);
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: `nothing of vln could be compared with ${run}\n`,
    });
  });

  it("robot-eval compare estimates the number of episodes needed for a significant difference", async () => {
    const few = { agent: "shortest-path", limit: 3, out: temporaryFolder() };
    const [a, b] = [
      await runOf(world, few),
      await runOf(world, { ...few, set: ["evaluation.max_steps=1"] }),
    ];
    const { stdout } = await compare(a, b);
    expect(stdout).toMatch(
      /success is not shown to differ: 3 episodes are too few to show any difference reliably; about 1 more episode like these would tell them apart, if the difference is real \(80 % power\)/,
    );
  });

  it("robot-eval compare compares only shared episodes with --shared", async () => {
    const some = await runOf(world, { agent: "shortest-path", limit: 5 });
    const refused = await compare(good, some);
    expect(refused).toMatchObject({ code: 2, stdout: "" });
    expect(refused.stderr).toContain("5 in both, 7 only in");
    const { code, stdout } = await compare(good, some, "--shared");
    expect(code).toBe(0);
    expect(stdout).toContain("5 shared episodes (not compared: 7 only in A)");
  });

  it("robot-eval compare rejects episodes with the same names but different data", async () => {
    const edited = makeWorld(
      episodes().map((one) => ({ ...one, instruction: { text: "go to the window" } })),
    );
    const moved = makeWorld(
      episodes().map((one) => episodeDict(one.episode_id, "b", "d", one.scene_id)),
    );
    for (const other of [edited, moved]) {
      const { code, stderr } = await compare(good, await runOf(other, {}));
      expect(code).toBe(2);
      expect(stderr).toContain("episodes of vln have the same names, but the datasets differ");
    }
  });
});

describe("robot-eval compare with bad input", () => {
  const world = makeWorld();
  let run = "";
  beforeAll(async () => {
    run = await runOf(world, {});
  });

  /** A damaged copy of the run. */
  function damaged(harm: (path: string) => void): string {
    const copy = join(temporaryFolder(), "copy");
    cpSync(run, copy, { recursive: true });
    harm(copy);
    return copy;
  }

  it.each([
    ["a single run", () => [], "compare needs two or more run directories"],
    ["a missing folder", () => [`${run}x`], "no such run directory"],
    ["a folder that is not a run", () => [temporaryFolder()], "check that this is a run directory"],
    [
      "a damaged line",
      () => [damaged((path) => appendFileSync(join(path, "episodes.jsonl"), "{]\n"))],
      "episodes.jsonl:7: not valid JSON",
    ],
    [
      "a missing episodes.jsonl",
      () => [damaged((path) => rmSync(join(path, "episodes.jsonl")))],
      "episodes.jsonl: the file does not exist",
    ],
    [
      "a damaged summary",
      () => [damaged((path) => writeFileSync(join(path, "summary.json"), "{"))],
      "summary.json: not valid JSON",
    ],
  ])("robot-eval compare exits with 2 and the reason: %s", async (_, others, words) => {
    const { code, stdout, stderr } = await compare(run, ...others());
    expect(stderr).toContain(words);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  });
});
