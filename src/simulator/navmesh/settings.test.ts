import { describe, expect, it } from "vitest";
import { ConfigError } from "../../core/errors.js";
import { HABITAT_NAVMESH, inVoxels } from "./settings.js";

describe("navmesh settings", () => {
  it("navmesh settings are converted to the voxel counts that Habitat passes to Recast", () => {
    expect(inVoxels(HABITAT_NAVMESH)).toEqual({
      cs: 0.05,
      ch: 0.2,
      walkableSlopeAngle: 45,
      walkableHeight: 8,
      walkableClimb: 1,
      walkableRadius: 2,
      maxEdgeLen: 240,
      maxSimplificationError: 1.3,
      minRegionArea: 20,
      mergeRegionArea: 20,
      maxVertsPerPoly: 6,
      detailSampleDist: 6,
      detailSampleMaxError: 1,
    });
  });

  it("navmesh settings are divided in single precision, so that 0.3 m of climb is three voxels of 0.1 m", () => {
    const fine = { ...HABITAT_NAVMESH, cellHeightM: 0.1, agentMaxClimbM: 0.3 };
    expect(Math.floor(0.3 / 0.1)).toBe(2);
    expect(inVoxels(fine).walkableClimb).toBe(3);
  });

  it.each([
    ["cellSizeM", 0],
    ["cellSizeM", Number.NaN],
    ["agentHeightM", -1],
    ["agentRadiusM", Number.POSITIVE_INFINITY],
    ["agentMaxSlopeDeg", 90],
    ["vertsPerPoly", 7],
    ["regionMinSize", 2.5],
  ])("a navmesh setting out of range is rejected by name: %s = %s", (name, value) => {
    const attempt = () => inVoxels({ ...HABITAT_NAVMESH, [name]: value });
    expect(attempt).toThrow(ConfigError);
    expect(attempt).toThrow(name);
  });
});
