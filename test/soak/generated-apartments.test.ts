import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import type { MetricSummary, RunResults } from "../../src/core/interfaces/result.js";
import { expectOneFloor } from "../../src/simulator/scenes/apartment/walkable.fixture.js";
import { makeWorld, robotEval, type World } from "../support/cli.js";

describe("the floor of an apartment", () => {
  it("the floor of an apartment is one connected area that reaches every door and every room", () => {
    for (let seed = 0; seed < 60; seed++) expectOneFloor(seed);
  });
});

/** Apartments and episodes of a seed that no shipped split uses. */
describe("a generated split that was never shipped", () => {
  let world: World;
  beforeAll(async () => {
    world = makeWorld();
    const { code, stderr } = await robotEval(
      [
        ...["generate", "--task", "vln", "--scenes", "apartment", "--seed", "999"],
        ...["-n", "100", "--out", join(world.root, "new.json.gz")],
      ],
      world.root,
    );
    expect(code, stderr).toBe(0);
    world.write(
      "new.yaml",
      stringify({
        benchmark: { name: "new" },
        vln_task: { type: "vln", config: { profile: "vlnce" } },
        dataset: { vln: { type: "vln", data_path: "new.json.gz" } },
      }),
    );
  }, 300_000);

  async function metrics(agent: string): Promise<Readonly<Record<string, MetricSummary>>> {
    const args = ["run", "new.yaml", "--agent", agent, "--out", "out", "--json"];
    const { stdout, stderr, code } = await robotEval(args, world.root);
    expect(code, stderr).toBe(0);
    return (JSON.parse(stdout) as RunResults).aggregated_metrics;
  }

  it("the shortest-path agent solves a generated split as well as the shipped one", async () => {
    const { success, spl, ndtw } = await metrics("shortest-path");
    expect(success?.mean).toBeGreaterThanOrEqual(0.99);
    expect(spl?.mean).toBeGreaterThanOrEqual(0.9);
    expect(ndtw?.mean).toBeGreaterThanOrEqual(0.9);
  });

  it("a generated split separates three noise levels with disjoint intervals", async () => {
    const agents = ["noisy:0.1", "noisy:0.3", "noisy:0.6"];
    const results = [];
    for (const agent of agents) results.push(await metrics(agent));
    for (const name of ["spl", "ndtw"]) {
      const intervals = results.map((result) => result[name]?.ci95 ?? [Number.NaN, Number.NaN]);
      for (const [better, worse] of [
        [intervals[0], intervals[1]],
        [intervals[1], intervals[2]],
      ]) {
        expect(better?.[0], `${name} ${JSON.stringify(intervals)}`).toBeGreaterThan(
          worse?.[1] ?? Number.NaN,
        );
      }
    }
  });
});
