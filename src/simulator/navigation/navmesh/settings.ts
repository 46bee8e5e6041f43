import { ConfigError, show } from "../../../core/errors.js";

/**
 * What a navmesh is made for: the size of its voxels and the body that walks on it. The fields are those of
 * Habitat's `NavMeshSettings`, with units in the names.
 */
export interface NavMeshSettings {
  /** Side of a voxel on the ground. */
  readonly cellSizeM: number;
  /** Height of a voxel. */
  readonly cellHeightM: number;
  /** Least headroom; rounded up to whole voxels. */
  readonly agentHeightM: number;
  /** Walls are kept this far away; rounded up to whole voxels. */
  readonly agentRadiusM: number;
  /** Highest step; rounded down to whole voxels. */
  readonly agentMaxClimbM: number;
  readonly agentMaxSlopeDeg: number;
  /** Islands of fewer than this many voxels squared are dropped. Whole. */
  readonly regionMinSize: number;
  /** Regions of fewer than this many voxels squared are merged into their neighbours. Whole. */
  readonly regionMergeSize: number;
  /** Longest edge along a border; 0 for any length. */
  readonly edgeMaxLenM: number;
  /** How far a simplified border may stray from the voxels' outline, in voxels. */
  readonly edgeMaxErrorVoxels: number;
  /** Three to six. */
  readonly vertsPerPoly: number;
  /** Spacing of height samples in voxels; below 0.9 there are none. */
  readonly detailSampleDist: number;
  /** How far heights may stray from the samples, in voxel heights. */
  readonly detailSampleMaxError: number;
}

/** Habitat's defaults (`NavMeshSettings::setDefaults`). */
export const HABITAT_NAVMESH: NavMeshSettings = {
  cellSizeM: 0.05,
  cellHeightM: 0.2,
  agentHeightM: 1.5,
  agentRadiusM: 0.1,
  agentMaxClimbM: 0.2,
  agentMaxSlopeDeg: 45,
  regionMinSize: 20,
  regionMergeSize: 20,
  edgeMaxLenM: 12,
  edgeMaxErrorVoxels: 1.3,
  vertsPerPoly: 6,
  detailSampleDist: 6,
  detailSampleMaxError: 1,
};

/** The same settings in voxels, as Recast takes them. */
export interface VoxelSettings {
  readonly cs: number;
  readonly ch: number;
  readonly walkableSlopeAngle: number;
  readonly walkableHeight: number;
  readonly walkableClimb: number;
  readonly walkableRadius: number;
  readonly maxEdgeLen: number;
  readonly maxSimplificationError: number;
  readonly minRegionArea: number;
  readonly mergeRegionArea: number;
  readonly maxVertsPerPoly: number;
  readonly detailSampleDist: number;
  readonly detailSampleMaxError: number;
}

/**
 * Quotients are taken in single precision, as Habitat takes them: 0.3 / 0.1 is 3 there, but 2.99... in
 * double precision, which would cost a voxel of climb. The region sizes and the detail distances go in as
 * they are; the generator squares the former and scales the latter, the same way Habitat does.
 */
export function inVoxels(settings: NavMeshSettings): VoxelSettings {
  checkSettings(settings);
  const f = Math.fround;
  const cs = f(settings.cellSizeM);
  const ch = f(settings.cellHeightM);
  return {
    cs: settings.cellSizeM,
    ch: settings.cellHeightM,
    walkableSlopeAngle: settings.agentMaxSlopeDeg,
    walkableHeight: Math.ceil(f(f(settings.agentHeightM) / ch)),
    walkableClimb: Math.floor(f(f(settings.agentMaxClimbM) / ch)),
    walkableRadius: Math.ceil(f(f(settings.agentRadiusM) / cs)),
    maxEdgeLen: Math.trunc(f(f(settings.edgeMaxLenM) / cs)),
    maxSimplificationError: settings.edgeMaxErrorVoxels,
    minRegionArea: settings.regionMinSize,
    mergeRegionArea: settings.regionMergeSize,
    maxVertsPerPoly: settings.vertsPerPoly,
    detailSampleDist: settings.detailSampleDist,
    detailSampleMaxError: settings.detailSampleMaxError,
  };
}

type Range = readonly [least: number, most: number, kind: "real" | "whole"];

const VALID: { readonly [K in keyof NavMeshSettings]: Range } = {
  cellSizeM: [0.005, 10, "real"],
  cellHeightM: [0.005, 10, "real"],
  agentHeightM: [0.01, 100, "real"],
  agentRadiusM: [0, 100, "real"],
  agentMaxClimbM: [0, 100, "real"],
  agentMaxSlopeDeg: [0, 89.9, "real"],
  regionMinSize: [0, 1000, "whole"],
  regionMergeSize: [0, 1000, "whole"],
  edgeMaxLenM: [0, 10_000, "real"],
  edgeMaxErrorVoxels: [0, 100, "real"],
  vertsPerPoly: [3, 6, "whole"],
  detailSampleDist: [0, 1000, "real"],
  detailSampleMaxError: [0, 1000, "real"],
};

function checkSettings(settings: NavMeshSettings): void {
  for (const name of Object.keys(VALID) as (keyof NavMeshSettings)[]) {
    const [least, most, kind] = VALID[name];
    const value: unknown = settings[name];
    const fits = typeof value === "number" && value >= least && value <= most;
    if (fits && (kind === "real" || Number.isInteger(value))) continue;
    const wanted = kind === "whole" ? "a whole number" : "a number";
    throw new ConfigError(
      "bad_navmesh_setting",
      `the navmesh setting ${name} must be ${wanted} from ${least} to ${most}; received ${show(value)}`,
      { where: name, hint: `Habitat's own value is ${HABITAT_NAVMESH[name]}.` },
    );
  }
}
