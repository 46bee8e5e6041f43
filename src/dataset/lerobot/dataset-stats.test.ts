import { describe, expect, it } from "vitest";
import { DatasetStats, quantilesOf } from "./dataset-stats.js";
import { imageStats, pixelSums } from "./image-stats.js";
import { featureStats } from "./stats.js";

const statsOf = (...episodes: readonly (readonly number[])[]) => {
  const all = new DatasetStats();
  for (const values of episodes) {
    const frames = values.map((value) => [value, -value]);
    all.add({ action: { ...featureStats(frames), ...quantilesOf(frames) } });
  }
  return all.toDict().action;
};

describe("statistics of a dataset", () => {
  it("statistics of a dataset equal those of all frames together, however they are split into episodes", () => {
    const values = [0.5, 3, -2, 8, 8, 1e3, 7, -0.25];
    const together = statsOf(values);
    const split = statsOf(values.slice(0, 1), values.slice(1, 5), values.slice(5));
    for (const key of ["min", "max", "mean", "std", "count"]) {
      const [a, b] = [together?.[key], split?.[key]] as [number[], number[]];
      for (const [k, value] of a.entries()) expect(b[k], key).toBeCloseTo(value, 9);
    }
    expect(split?.count).toEqual([8]);
  });

  it("statistics of a dataset weight the quantiles of episodes by their frames, as LeRobot does", () => {
    // Medians 1 of one frame and 4 of three frames.
    expect(statsOf([1], [3, 4, 5])?.q50).toEqual([3.25, -3.25]);
    // numpy.quantile([0, 1, 2, 3], [0.01, 0.99])
    const { q01, q99 } = quantilesOf([[0], [1], [2], [3]]);
    expect(q01[0]).toBeCloseTo(0.03, 12);
    expect(q99[0]).toBeCloseTo(2.97, 12);
  });

  it("statistics of a dataset keep the shape of image statistics, one value for each channel", () => {
    const image = (grey: number) =>
      imageStats([
        pixelSums({
          ...{ kind: "rgb", width: 2, height: 1 },
          data: Uint8Array.from([grey, 0, 255, grey, 0, 255]),
        }),
      ]);
    const all = new DatasetStats();
    all.add({ view: image(0) });
    all.add({ view: image(51) });
    expect(all.toDict().view).toMatchObject({
      mean: [[[0.1]], [[0]], [[1]]],
      std: [[[0.1]], [[0]], [[0]]],
      max: [[[0.2]], [[0]], [[1]]],
      count: [2],
    });
  });
});
