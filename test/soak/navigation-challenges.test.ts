import { describe, expect, it } from "vitest";
import type { RunResults } from "../../src/core/interfaces/result.js";
import { linesOf } from "../support/cli.js";
import { evidenceSize, sampledIds } from "../support/evidence.js";
import { runOf } from "../support/manipulation.js";
import { describeChallenges, fileOf } from "../support/navigation-challenges.js";
import { timeless } from "../support/run-content.js";

const TIMEOUT_MS = 600_000;

const EPISODES = evidenceSize({ full: 100, soak: 30 });
describeChallenges(EPISODES, sampledIds(EPISODES, { first: 1, of: 100 }), TIMEOUT_MS);

describe("the same navigation run", { timeout: TIMEOUT_MS }, () => {
  const byKey = async ({ run_dir }: RunResults) =>
    new Map((await linesOf(run_dir)).map((line) => [line.episode_key, timeless(line)]));

  it("episodes are the same for any number of workers and any order", async () => {
    const limited = ["--agent", "noisy:0.3", "--first", "20"];
    const run = async (...flags: readonly string[]) =>
      byKey(await runOf(fileOf("objectnav"), ...limited, ...flags));
    const one = await run("--workers", "1");
    expect(one.size).toBe(20);
    expect([...one.values()].every((line) => line.initial_state_hash !== null)).toBe(true);
    expect(await run("--workers", "2", "--concurrency", "3")).toEqual(one);
  });

  it("the result of an episode does not depend on which episodes ran before", async () => {
    const some = ["--agent", "noisy:0.5", "--filter", "scene=apartment/100|apartment/103"];
    const shuffled = ["--set", "dataset.image_nav.shuffle=7"];
    const a = await byKey(await runOf(fileOf("imagenav"), ...some, ...shuffled));
    const b = await byKey(await runOf(fileOf("imagenav"), ...some));
    expect([...a.keys()]).not.toEqual([...b.keys()]);
    expect(a).toEqual(b);
  });
});
