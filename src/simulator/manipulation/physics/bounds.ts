import type { MjData, MjModel } from "@mujoco/mujoco";
import { dot, subtract, type Vec3 } from "../../../core/math/vec3.js";
import type { ObjectShape } from "../world/world.js";
import { vec3At } from "./arrays.js";

/** The bounding box of a body, in the body's axes. */
export interface Bounds {
  /** Its centre in the body's frame. */
  readonly centreM: Vec3;
  readonly sizeM: Vec3;
  readonly shape: ObjectShape;
}

/** Values of MuJoCo's `mjtGeom`. */
const [PLANE, HEIGHT_FIELD, CAPSULE, CYLINDER] = [0, 1, 3, 5] as const;

/**
 * The current bounds of a body and its descendants. Visual geoms, which may be larger than the object, only count if
 * there are no collision geoms.
 *
 * @param bodies of geoms
 */
export function boundsOf(
  model: MjModel,
  data: MjData,
  bodies: Int32Array,
  body: number,
): Bounds | undefined {
  const below = geomsBelow(model, bodies, body);
  const solid = below.filter((geom) => model.geom_contype[geom] || model.geom_conaffinity[geom]);
  const geoms = solid.length > 0 ? solid : below;
  if (geoms.length === 0) return undefined;
  const low = [0, 1, 2].map(() => Number.POSITIVE_INFINITY);
  const high = [0, 1, 2].map(() => Number.NEGATIVE_INFINITY);
  const toBody = intoFrame(data.xpos, data.xmat, body);
  for (const geom of geoms) {
    const toWorld = outOfFrame(data.geom_xpos, data.geom_xmat, geom);
    for (const corner of corners(model.geom_aabb.subarray(6 * geom, 6 * geom + 6))) {
      for (const [axis, x] of toBody(toWorld(corner)).entries()) {
        low[axis] = Math.min(low[axis] ?? x, x);
        high[axis] = Math.max(high[axis] ?? x, x);
      }
    }
  }
  const [lx = 0, ly = 0, lz = 0] = low;
  const [hx = 0, hy = 0, hz = 0] = high;
  return {
    centreM: [(lx + hx) / 2, (ly + hy) / 2, (lz + hz) / 2],
    sizeM: [hx - lx, hy - ly, hz - lz],
    shape: shapeOf(model, data, body, geoms),
  };
}

/** Height of a geom's bounding box's highest corner; planes and height fields count as ground. */
export function highestM(model: MjModel, data: MjData, geom: number): number {
  const type: number = model.geom_type[geom];
  if (type === PLANE || type === HEIGHT_FIELD) return Number.NEGATIVE_INFINITY;
  const toWorld = outOfFrame(data.geom_xpos, data.geom_xmat, geom);
  const box = corners(model.geom_aabb.subarray(6 * geom, 6 * geom + 6));
  return Math.max(...box.map((corner) => toWorld(corner)[2]));
}

/** Planes and height fields have no bounding box. */
function geomsBelow(model: MjModel, bodies: Int32Array, body: number): number[] {
  const parents: Int32Array = model.body_parentid;
  const isBelow = (at: number): boolean =>
    at === body || (at !== 0 && isBelow(parents[at] as number));
  return Array.from({ length: model.ngeom }, (_, geom) => geom).filter((geom) => {
    const type: number = model.geom_type[geom];
    return type !== PLANE && type !== HEIGHT_FIELD && isBelow(bodies[geom] as number);
  });
}

/** A single capsule or cylinder along the body's z axis keeps its shape; everything else counts as its box. */
function shapeOf(
  model: MjModel,
  data: MjData,
  body: number,
  [geom = 0, ...others]: readonly number[],
): ObjectShape {
  const type: number = model.geom_type[geom];
  if (others.length > 0 || (type !== CAPSULE && type !== CYLINDER)) return "box";
  // Dot product of the third columns of both rotations, which are their z axes.
  const along = [2, 5, 8].reduce(
    (sum, at) => sum + data.geom_xmat[9 * geom + at] * data.xmat[9 * body + at],
    0,
  );
  if (Math.abs(along) < 1 - 1e-6) return "box";
  return type === CAPSULE ? "capsule" : "cylinder";
}

function corners(aabb: ArrayLike<number>): Vec3[] {
  const [x = 0, y = 0, z = 0, dx = 0, dy = 0, dz = 0] = Array.from(aabb);
  return [-1, 1].flatMap((i) =>
    [-1, 1].flatMap((j) => [-1, 1].map((k): Vec3 => [x + i * dx, y + j * dy, z + k * dz])),
  );
}

type Map3 = (point: Vec3) => Vec3;

function outOfFrame(positions: Float64Array, matrices: Float64Array, id: number): Map3 {
  const [px, py, pz] = vec3At(positions, id);
  const row = (i: number) => vec3At(matrices, 3 * id + i);
  const [r0, r1, r2] = [row(0), row(1), row(2)];
  return (point) => [px + dot(r0, point), py + dot(r1, point), pz + dot(r2, point)];
}

function intoFrame(positions: Float64Array, matrices: Float64Array, id: number): Map3 {
  const origin = vec3At(positions, id);
  const m = Array.from(matrices.subarray(9 * id, 9 * id + 9));
  const column = (i: number): Vec3 => [m[i] ?? 0, m[i + 3] ?? 0, m[i + 6] ?? 0];
  return (point) => {
    const offset = subtract(point, origin);
    return [dot(column(0), offset), dot(column(1), offset), dot(column(2), offset)];
  };
}
