import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { linesOf, robotEval, robotEvalHere } from "../support/cli.js";
import { enlarge, makeDisk } from "../support/disk.js";
import { makeSlowWorld, mixedEpisodes, runIn } from "../support/kill.js";
import { contentOf } from "../support/run-content.js";

const CASES = [
  [
    "between trajectories",
    200,
    [],
    /(trajectories\/.*\.gz|episodes\.jsonl): cannot be written: ENOSPC/,
  ],
  [
    "in the middle of a line",
    48,
    ["output.save_trajectories=false"],
    /episodes\.jsonl: cannot be written: ENOSPC/,
  ],
] as const;

const probe = makeDisk(16);

// No other test covers full disks: run this as root, or in a container that may mount.
describe.skipIf(probe === undefined)(
  "a full disk (needs the right to mount one)",
  { timeout: 240_000 },
  () => {
    it.each(CASES)(
      "a disk that is full %s stops the run, which can be resumed when there is space",
      async (_, kib, set, words) => {
        const disk = makeDisk(kib) ?? "";
        const world = makeSlowWorld(mixedEpisodes(3), ...set);
        const whole = join(world.root, "whole");
        const [, , ...flags] = world.run;
        await robotEvalHere(["run", world.yaml, ...flags, "--out", whole, "--workers", "1"]);

        const first = await robotEval([...world.run, "--out", disk, "--workers", "2"], world.root);
        expect(first.code, first.stderr).toBe(2);
        expect(first.stderr).toMatch(words);
        expect(first.stderr).toContain("free some space");
        expect(first.stderr).not.toMatch(/^\s+at /m);
        const run = runIn(disk) ?? "";
        const before = await linesOf(run);
        expect(before.length).toBeGreaterThan(10);

        const still = await robotEval(["resume", run, "--workers", "1"], world.root);
        expect(still.code, still.stderr).toBe(2);
        expect(still.stderr).toMatch(/cannot be written: ENOSPC/);
        expect(await linesOf(run)).toEqual(before);

        enlarge(disk);
        const resumed = await robotEval(["resume", run, "--workers", "1"], world.root);
        expect(resumed.code, resumed.stderr).toBe(0);
        expect(resumed.stderr).toContain(`${before.length} of them already done`);
        expect((await linesOf(run)).slice(0, before.length)).toEqual(before);
        expect(await contentOf(run)).toEqual(await contentOf(runIn(whole) ?? ""));
      },
    );
  },
);
