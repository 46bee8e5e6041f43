import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunResults } from "../../src/core/interfaces/result.js";
import { robotEval, type World } from "../support/cli.js";
import { makeStopWorld, STOPS_EARLY } from "../support/early-stop.js";
import { CHALLENGE, runHere, runOf, settled, TASKS } from "../support/manipulation.js";
import { contentOf } from "../support/run-content.js";
import { runSmallUnified, smallUnified } from "../support/small-unified.js";

// `npm test` compares fewer workers: test/e2e/workers, early-stop and manipulation.
describe("a run with four workers", () => {
  it("four workers give the results of one for every task", async () => {
    const world = await smallUnified();
    const expected = await contentOf(await runSmallUnified(world, 1));
    expect(await contentOf(await runSmallUnified(world, 4))).toEqual(expected);
  });

  it("four workers give the results of one for every manipulation task of the challenge", async () => {
    const flags = ["--agent", "expert", "--first", "1"];
    const expected = await settled(await runHere(CHALLENGE, ...flags));
    expect(expected.size).toBe(TASKS.length);
    expect(await settled(await runOf(CHALLENGE, ...flags, "--workers", "4"))).toEqual(expected);
  });

  it("a run stops early at the same episode with one, two and four workers", async () => {
    const world = makeStopWorld();
    const expected = await stopped(world, 1);
    expect(await stopped(world, 2)).toEqual(expected);
    expect(await stopped(world, 4)).toEqual(expected);
  });
});

async function stopped(world: World, workers: number) {
  const set = STOPS_EARLY.flatMap((text) => ["--set", text]);
  const out = join(world.root, String(workers));
  const { code, stdout, stderr } = await robotEval(
    [
      ...["run", "benchmark.yaml", "--agent", "strays", ...set, "--json"],
      ...["--out", out, "--workers", String(workers)],
    ],
    world.root,
  );
  expect(code, stderr).toBe(0);
  return contentOf((JSON.parse(stdout) as RunResults).run_dir ?? "");
}
