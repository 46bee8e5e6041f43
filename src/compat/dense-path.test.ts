import { describe, expect, it } from "vitest";
import { BaseEpisode } from "../core/episode/base.js";
import type { Vec3 } from "../core/math/vec3.js";
import { isSparse, withDensePath } from "./dense-path.js";

function episode(referenceData: BaseEpisode["referenceData"]): BaseEpisode {
  return new BaseEpisode({ episodeId: "1", taskType: "vln", sceneId: "flat", referenceData });
}

const path: Vec3[] = [
  [0, 0, 0],
  [0.6, 0, 0],
  [0.6, 0, 0],
  [0.6, 1, 0.1],
];

describe("withDensePath", () => {
  it("withDensePath adds points at most 0.25 m apart along the way points, and keeps the path", () => {
    const { referenceData } = withDensePath(episode({ path }));
    expect(referenceData?.path).toEqual(path);
    const dense = referenceData?.dense_path ?? [];
    expect(dense).toHaveLength(1 + 3 + 1 + 5);
    expect(dense.slice(0, 4).map(([x]) => x)).toEqual([
      0,
      expect.closeTo(0.2),
      expect.closeTo(0.4),
      expect.closeTo(0.6),
    ]);
    expect(dense.at(-1)).toEqual([0.6, 1, 0.1]);
  });
});

describe("isSparse", () => {
  it("isSparse is true for a path of way points only", () => {
    expect(isSparse(episode({ path }))).toBe(true);
    expect(isSparse(episode({ path, dense_path: path }))).toBe(false);
    expect(isSparse(episode({ path, nodes: ["a", "b", "c", "d"] }))).toBe(false);
    expect(isSparse(episode(null))).toBe(false);
  });
});
