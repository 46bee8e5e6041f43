import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { robotEval } from "../support/cli.js";
import { everyWay, killAgainAndAgain, makeSlowWorld, runIn } from "../support/kill.js";
import { contentOf } from "../support/run-content.js";

describe("a run that is killed", () => {
  it("again and again comes out as one that nobody disturbed", async () => {
    const set = ["evaluation.repeats=2", "evaluation.retry_invalid=1"];
    const world = makeSlowWorld(everyWay(3), ...set);
    const out = join(world.root, "whole");
    const whole = await robotEval([...world.run, "--out", out], world.root);
    expect(whole.code, whole.stderr).toBe(0);
    world.pause(20);
    const { runDir, kills, underWay } = await killAgainAndAgain(world, { kills: 4, seed: 3 });
    expect({ kills, underWay }).toEqual({ kills: 4, underWay: 4 });
    world.pause(0);
    const last = await robotEval(["resume", runDir], world.root);
    expect(last.code, last.stderr).toBe(0);
    expect(await contentOf(runDir)).toEqual(await contentOf(runIn(out) ?? ""));
  });
});
