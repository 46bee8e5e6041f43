import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { EpisodeLine, MetricTable, RunResults } from "../../src/core/interfaces/result.js";
import { linesOf, robotEval, temporaryFolder } from "../support/cli.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

const CHALLENGES = ["vln", "objectnav", "imagenav"] as const;

async function run(challenge: string, ...flags: readonly string[]): Promise<RunResults> {
  const file = `configs/benchmarks/${challenge}_challenge.yaml`;
  const args = ["run", file, "--out", temporaryFolder(), "--json", ...flags];
  const { stdout, stderr, code } = await robotEval(args, root);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as RunResults;
}

const mean = (metrics: MetricTable, name: string) => metrics[name]?.mean ?? Number.NaN;

describe("a shipped navigation challenge", () => {
  it.each(CHALLENGES)("%s is solved by following the geodesic", async (challenge) => {
    const { episodes, aggregated_metrics: metrics } = await run(
      challenge,
      "--agent",
      "shortest-path",
    );
    expect(episodes).toMatchObject({ total: 100, invalid: 0 });
    expect(mean(metrics, "success")).toBeGreaterThanOrEqual(0.99);
    expect(mean(metrics, "spl")).toBeGreaterThanOrEqual(0.9);
    if (challenge === "vln") expect(mean(metrics, "ndtw")).toBeGreaterThanOrEqual(0.9);
  });

  it.each(CHALLENGES)("%s is not solved by chance, nor by going straight on", async (challenge) => {
    for (const agent of ["random", "forward"]) {
      const { episodes, aggregated_metrics } = await run(challenge, "--agent", agent);
      expect(episodes.invalid).toBe(0);
      expect(mean(aggregated_metrics, "success"), agent).toBeLessThan(0.15);
    }
  });
});

/** What may differ between two runs of the same: how long things took. */
function settled({ wall_ms, sim_ms, agent_ms, agent_latency_ms, ...line }: EpisodeLine) {
  return line;
}

describe("the same navigation run", () => {
  it("gives the same episodes whatever the workers and the order", async () => {
    const limited = ["--agent", "noisy:0.3", "--limit", "20"];
    const lines = async (...flags: readonly string[]) => {
      const { run_dir } = await run("objectnav", ...limited, ...flags);
      const all = (await linesOf(run_dir)).map(settled);
      return all.sort((a, b) => (a.episode_key < b.episode_key ? -1 : 1));
    };
    const one = await lines("--workers", "1");
    expect(one).toHaveLength(20);
    expect(one.every(({ initial_state_hash }) => initial_state_hash !== null)).toBe(true);
    expect(await lines("--workers", "2", "--concurrency", "3")).toEqual(one);
  });

  it("does not depend on which episodes ran before", async () => {
    const shuffled = await run(
      "imagenav",
      ...["--agent", "noisy:0.5", "--filter", "scene=apartment/100|apartment/103"],
      ...["--set", "dataset.image_nav.shuffle=7"],
    );
    const inOrder = await run(
      "imagenav",
      "--agent",
      "noisy:0.5",
      "--filter",
      "scene=apartment/100|apartment/103",
    );
    const byKey = async ({ run_dir }: RunResults) =>
      new Map((await linesOf(run_dir)).map((line) => [line.episode_key, settled(line)]));
    const [a, b] = [await byKey(shuffled), await byKey(inOrder)];
    expect([...a.keys()]).not.toEqual([...b.keys()]);
    expect(a).toEqual(b);
  });
});
