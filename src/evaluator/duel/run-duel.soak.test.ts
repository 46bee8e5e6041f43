import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { linesOf } from "../../../test/support/cli.js";
import { summaryOf } from "../../../test/support/run-content.js";
import { tempDir } from "../../../test/support/tiny-world.js";
import { createRegistries } from "../../registry/registries.js";
import { bundleRun } from "../../runs/bundle/bundle-run.js";
import { replayRun } from "../check/replay/replay-run.js";
import { verifyBundle } from "../check/verify-bundle.js";
import { resumeRun } from "../resume.js";
import { documentOf, duel, found, graph, wholeRun } from "./run-duel.fixture.js";
import { resumeDuel } from "./run-duel.js";

describe("a duel", () => {
  it("a duel counts the same episodes in a run that ended before the verdict", async () => {
    // The window is larger than the benchmark, so the quick policy has run everything when the slow one begins.
    const { folder, policies, comparisons } = await duel({ concurrency: 40 });
    const pairs = comparisons[0]?.pairs ?? 0;
    expect(pairs).toBeLessThan(60);
    for (const { run } of policies) {
      expect(await linesOf(join(folder, run))).toHaveLength(pairs);
      expect(summaryOf(join(folder, run)).early_stop?.vln).toMatchObject({ reached: true });
    }
  });

  it("a duel is continued after an interruption with the result of an uninterrupted duel", async () => {
    const whole = await duel();
    const stop = new AbortController();
    let ended = 0;
    const cut = await duel({
      signal: stop.signal,
      onEvent: (event) => {
        if (event.type === "episode" && ++ended === 12) stop.abort();
      },
    });
    expect(cut.status).toBe("cancelled");
    const [first] = cut.policies;
    await expect(resumeRun(join(cut.folder, first?.run ?? ""))).rejects.toMatchObject({
      code: "part_of_duel",
      hint: expect.stringContaining(`robot-eval resume ${cut.folder}`),
    });
    const resumed = await resumeDuel(cut.folder, { workers: 1 });
    expect(resumed.status).toBe("done");
    expect(found(resumed)).toEqual(found(whole));
    expect(found(documentOf(cut.folder))).toEqual(found(whole));
  });

  it("a duel has runs that can be replayed", async () => {
    const { folder, policies } = await duel();
    const report = await replayRun(join(folder, policies[1]?.run ?? ""), {});
    expect(report.equal).toBe(report.total);
    expect(report.total).toBeGreaterThan(6);
  });
});

describe("the runs of a duel", () => {
  it("the runs of a duel are verified from a bundle, with and without the benchmark of the checker", async () => {
    const { folder, policies, comparisons } = await duel();
    const out = join(tempDir(), "run.tar.gz");
    await bundleRun({
      path: join(folder, policies[1]?.run ?? ""),
      out,
      scenes: true,
      videos: false,
      registries: createRegistries(),
    });
    for (const options of [{}, { benchmark: graph().file }]) {
      const { checks, episodes } = await verifyBundle(out, options);
      const failed = checks.filter(({ status }) => status === "failed");
      expect(failed).toEqual([]);
      expect(episodes.judged).toBe(comparisons[0]?.pairs);
    }
  });
});

describe("a duel with a recorded run", () => {
  it("a duel with a recorded run has the verdict of a duel of both policies, and runs only the other one", async () => {
    const both = await duel();
    const against = await wholeRun();
    const result = await duel({ agents: ["noisy:0.92"], against });
    expect(result.comparisons).toEqual(both.comparisons);
    expect(result.flipped).toEqual(both.flipped);
    expect(result.episodes.used).toBe(both.episodes.used / 2);
    expect(result.policies[0]).toMatchObject({ agent: "noisy:0.86", recorded: against });
  });

  it("a duel with a recorded run is continued after an interruption with the same result", async () => {
    const against = await wholeRun();
    const stop = new AbortController();
    const cut = await duel({
      ...{ agents: ["noisy:0.92"], against, signal: stop.signal },
      onEvent: ({ type }) => {
        if (type === "episode") stop.abort();
      },
    });
    expect(cut.status).toBe("cancelled");
    const resumed = await resumeDuel(cut.folder, { workers: 1 });
    const whole = await duel({ agents: ["noisy:0.92"], against });
    expect(found(resumed)).toEqual(found(whole));
  });
});
