import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeWithSharedData, sharedData } from "../../../test/shared-data.js";
import { temporaryFolder } from "../../../test/support/cli.js";
import { writeLerobot2, writeLerobot3 } from "../../../test/support/lerobot.js";
import { streamJsonLines } from "../readers/json-stream.js";
import { type EpisodeStats, lerobotStats } from "./stats.fixture.js";
import { featureStats } from "./stats.js";

describe("feature statistics", () => {
  it("the statistics code computes the statistics of each value with the population formulas", () => {
    expect(
      featureStats([
        [1, -5],
        [3, -5],
        [2, -5],
      ]),
    ).toEqual({
      min: [1, -5],
      max: [3, -5],
      mean: [2, -5],
      std: [Math.sqrt(2 / 3), 0],
      count: [3],
    });
  });
});

async function collect(path: string): Promise<EpisodeStats[]> {
  const all: EpisodeStats[] = [];
  for await (const one of lerobotStats({ path, partial: true })) all.push(one);
  return all;
}

describe("dataset statistics", () => {
  it("both versions of a dataset have the same statistics", async () => {
    const lengths = [4, 6, 5];
    const folder = temporaryFolder();
    const second = await collect(await writeLerobot2(join(folder, "2"), { lengths }));
    const third = await collect(await writeLerobot3(join(folder, "3"), { lengths }));
    expect(second).toHaveLength(3);
    expect(second[1]?.stats.index).toMatchObject({ min: [4], max: [9], count: [6] });
    expect(third).toEqual(second);
  });
});

describeWithSharedData("published statistics", () => {
  it("statistics recomputed from the frames match the published ones", async () => {
    const path = sharedData("lerobot_v2.1");
    const published = new Map<number, EpisodeStats["stats"]>();
    for await (const { value } of streamJsonLines(join(path, "meta/episodes_stats.jsonl"))) {
      const line = value as EpisodeStats;
      published.set(line.episode_index, line.stats);
    }
    const computed = await collect(path);
    expect(computed).toHaveLength(5);
    for (const { episode_index, stats } of computed) {
      expect(Object.keys(stats)).toHaveLength(7);
      for (const [name, own] of Object.entries(stats)) {
        const theirs = published.get(episode_index)?.[name];
        expect(own.count).toEqual(theirs?.count);
        // Published timestamps' statistics predate rounding to the file's single precision.
        const exact = name !== "timestamp";
        for (const kind of ["min", "max"] as const) {
          if (exact) expect(own[kind]).toEqual(theirs?.[kind]);
          else expect(own[kind][0]).toBeCloseTo(theirs?.[kind][0] ?? Number.NaN, 5);
        }
        // LeRobot sums in single precision.
        for (const kind of ["mean", "std"] as const) {
          expect(own[kind]).toHaveLength(theirs?.[kind].length ?? 0);
          for (const [k, value] of own[kind].entries()) {
            const expected = theirs?.[kind][k] ?? Number.NaN;
            expect(Math.abs(value - expected)).toBeLessThanOrEqual(5e-6 * Math.abs(expected));
          }
        }
      }
    }
  });
});
