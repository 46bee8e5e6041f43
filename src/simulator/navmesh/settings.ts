import { ConfigError, show } from "../../core/errors.js";

/**
 * Parameters of a navmesh: the size of its voxels and the body that walks on it. The fields are those of
 * Habitat's `NavMeshSettings`, with units in the names.
 */
export interface NavMeshSettings {
  /** Width of a voxel on the ground. */
  readonly cellSizeM: number;
  /** Height of a voxel. */
  readonly cellHeightM: number;
  /** Minimum headroom; rounded up to whole voxels. */
  readonly agentHeightM: number;
  /** Minimum distance to walls; rounded up to whole voxels. */
  readonly agentRadiusM: number;
  /** Maximum height of a step; rounded down to whole voxels. */
  readonly agentMaxClimbM: number;
  readonly agentMaxSlopeDeg: number;
  /** Islands of fewer than this many voxels squared are removed. Integer. */
  readonly regionMinSize: number;
  /** Regions of fewer than this many voxels squared are merged into their neighbours. Integer. */
  readonly regionMergeSize: number;
  /** Maximum edge length along a border; 0 for no limit. */
  readonly edgeMaxLenM: number;
  /** Maximum deviation of a simplified border from the voxels' outline, in voxels. */
  readonly edgeMaxErrorVoxels: number;
  /** Maximum number of corners of a polygon, 3 to 6. */
  readonly vertsPerPoly: number;
  /** Spacing of height samples in voxels; below 0.9 none are taken. */
  readonly detailSampleDist: number;
  /** Maximum deviation of heights from the samples, in voxel heights. */
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

/**
 * Where Stretch fits: 1.41 m high, and at most 0.28 m from the axle's middle to the rear edge of its base. It cannot
 * climb, but a rug is no obstacle.
 */
export const STRETCH_NAVMESH: NavMeshSettings = {
  ...HABITAT_NAVMESH,
  cellHeightM: 0.05,
  agentHeightM: 1.41,
  agentRadiusM: 0.28,
  agentMaxClimbM: 0.05,
};

/** The same settings in voxels, as Recast expects them. */
export type VoxelSettings = Readonly<ReturnType<typeof inVoxels>>;

/**
 * Quotients are computed in single precision, as in Habitat: 0.3 / 0.1 is 3 there, but 2.99... in double
 * precision, which would lose a voxel of climb. Region sizes and detail distances are passed unchanged; the
 * generator squares the former and scales the latter, as Habitat does.
 */
export function inVoxels(settings: NavMeshSettings) {
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
      { where: name, hint: `Habitat's default is ${HABITAT_NAVMESH[name]}.` },
    );
  }
}
