import type { GlGeom, GlPoses, GlScene, GlSurface } from "./scene.js";

/** Faces of a part of a large mesh. */
export const PART = 64;

/** A bounding box in the frame of a geom: its centre and half its sides. */
export interface Box {
  readonly centre: readonly [number, number, number];
  readonly half: readonly [number, number, number];
}

/** A geom with its place in the arrays of all vertices and triangles. */
export interface PlacedGeom {
  readonly geom: GlGeom;
  /** Index in the scene. */
  readonly index: number;
  readonly firstVertex: number;
  readonly firstFace: number;
  /** What is projected: `GlMesh.shared`, or the mesh itself. */
  readonly surface: GlSurface;
  /** Index of its first vertex among those of all surfaces. */
  readonly firstPoint: number;
  /** Centre of the bounding box and sphere in the geom's frame, half the sides of the box, and the sphere's radius. */
  centre: readonly [number, number, number];
  half: readonly [number, number, number];
  radius: number;
  /** Boxes around each `PART` faces of a large mesh that does not deform. */
  readonly parts: readonly Box[];
  /** Row-major 3x4: the current pose. */
  readonly pose: Float64Array;
}

/** The geoms of a scene at their current poses. */
export class PlacedGeoms {
  readonly geoms: readonly PlacedGeom[];
  readonly vertices: number;
  readonly faces: number;
  /** Vertices of all surfaces. */
  readonly points: number;

  constructor({ geoms }: GlScene) {
    let [vertices, faces, points] = [0, 0, 0];
    this.geoms = geoms.map((geom, index) => {
      const surface = geom.mesh.shared ?? geom.mesh;
      const placed: PlacedGeom = {
        geom,
        index,
        firstVertex: vertices,
        firstFace: faces,
        surface,
        firstPoint: points,
        ...boundsOf(geom.mesh.positions),
        parts: geom.deforms ? [] : partsOf(surface),
        pose: new Float64Array(12).fill(Number.NaN),
      };
      vertices += geom.mesh.positions.length / 3;
      faces += geom.mesh.faces.length / 3;
      points += surface.positions.length / 3;
      return placed;
    });
    this.vertices = vertices;
    this.faces = faces;
    this.points = points;
  }

  /** Moves the geoms. A pose that is not finite, after a divergence, is ignored. */
  place({ positions, matrices }: GlPoses, eye: readonly [number, number, number]): void {
    for (const placed of this.geoms) {
      const { geom, index, pose } = placed;
      if (geom.deforms) Object.assign(placed, boundsOf(geom.mesh.positions));
      const m = matrices.subarray(9 * index, 9 * index + 9);
      const at: [number, number, number] = [
        positions[3 * index] as number,
        positions[3 * index + 1] as number,
        positions[3 * index + 2] as number,
      ];
      if (!at.every(Number.isFinite)) continue;
      if (geom.follow) follow(at, m, geom.follow, eye);
      for (let row = 0; row < 3; row++) {
        for (let column = 0; column < 4; column++) {
          pose[4 * row + column] = (column < 3 ? m[3 * row + column] : at[row]) as number;
        }
      }
    }
  }
}

/** Moves an infinite plane below the camera, in whole steps so that its texture stays. */
function follow(
  at: [number, number, number],
  m: Float64Array,
  steps: NonNullable<GlGeom["follow"]>,
  eye: readonly [number, number, number],
): void {
  const from = [eye[0] - at[0], eye[1] - at[1], eye[2] - at[2]];
  for (const axis of [0, 1] as const) {
    const step = steps[axis];
    if (step === undefined) continue;
    const direction = [m[axis] as number, m[3 + axis] as number, m[6 + axis] as number];
    const along = direction.reduce((sum, value, i) => sum + value * (from[i] ?? 0), 0);
    const shift = 2 * step * Math.round((0.5 * along) / step);
    for (const i of [0, 1, 2] as const) at[i] += (direction[i] ?? 0) * shift;
  }
}

function boundsOf(positions: Float32Array): Pick<PlacedGeom, "centre" | "half" | "radius"> {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    const value = positions[i] as number;
    const k = i % 3;
    low[k] = Math.min(low[k] as number, value);
    high[k] = Math.max(high[k] as number, value);
  }
  const centre = low.map((value, k) => (value + (high[k] as number)) / 2);
  const half = low.map((value, k) => ((high[k] as number) - value) / 2);
  return {
    centre: [centre[0] ?? 0, centre[1] ?? 0, centre[2] ?? 0],
    half: [half[0] ?? 0, half[1] ?? 0, half[2] ?? 0],
    radius: Math.hypot(...half),
  };
}

function partsOf({ positions, faces }: GlSurface): readonly Box[] {
  if (faces.length < 3 * 4 * PART) return [];
  return Array.from({ length: Math.ceil(faces.length / (3 * PART)) }, (_, part) => {
    const corners = faces.subarray(3 * PART * part, 3 * PART * (part + 1));
    const at = new Float32Array(3 * corners.length);
    for (let i = 0; i < at.length; i++) {
      at[i] = positions[3 * (corners[Math.floor(i / 3)] as number) + (i % 3)] as number;
    }
    const { centre, half } = boundsOf(at);
    return { centre, half };
  });
}

/** Sorts geoms by distance, planes last: what is drawn first hides most of the rest. */
export function nearestBoxFirst(
  geoms: readonly PlacedGeom[],
  eye: readonly [number, number, number],
): readonly PlacedGeom[] {
  const distance = ({ geom, pose: m, centre: [x, y, z] }: PlacedGeom) => {
    if (geom.kind === "plane") return Infinity;
    const along = (row: number) =>
      (m[row] as number) * x +
      (m[row + 1] as number) * y +
      (m[row + 2] as number) * z +
      (m[row + 3] as number);
    return Math.hypot(along(0) - eye[0], along(4) - eye[1], along(8) - eye[2]);
  };
  return geoms
    .map((placed) => ({ placed, at: distance(placed) }))
    .sort((a, b) => (a.at === b.at ? a.placed.index - b.placed.index : a.at - b.at))
    .map(({ placed }) => placed);
}
