import type { Pose3 } from "../../../core/interfaces/manipulation-view.js";
import type { QuatWxyz } from "../../../core/math/rotation.js";
import type { Vec3 } from "../../../core/math/vec3.js";
import type { BodyPlaces } from "./bodies.js";

type View = Float64Array | Float32Array | Int32Array | Uint8Array;

/**
 * Returns a cached view of one of MuJoCo's arrays. When WASM memory grows, existing views are detached (length 0), so
 * a new one is created. Creating a view takes 0.3 us, and a control step reads dozens.
 */
export function cachedView<V extends View>(make: () => V): () => V {
  let view = make();
  return () => {
    if (view.length === 0) view = make();
    return view;
  };
}

export function sumAt(array: Float64Array, addresses: readonly number[]): number {
  let sum = 0;
  for (const at of addresses) sum += array[at] as number;
  return sum;
}

/** Writes the values at some addresses into `out`, in their order. */
export function pickAt(array: Float64Array, addresses: readonly number[], out: Float64Array): void {
  for (let i = 0; i < addresses.length; i++) out[i] = array[addresses[i] as number] as number;
}

export function vec3At(array: Float64Array | Float32Array, index: number): Vec3 {
  const at = 3 * index;
  return [array[at] as number, array[at + 1] as number, array[at + 2] as number];
}

export function quatAt(array: Float64Array | Float32Array, index: number): QuatWxyz {
  const at = 4 * index;
  return [
    array[at] as number,
    array[at + 1] as number,
    array[at + 2] as number,
    array[at + 3] as number,
  ];
}

/** Poses of all geoms: three numbers, and a row-major 3x3 matrix, per geom. */
interface GeomPlaces {
  readonly positions: Float64Array;
  readonly matrices: Float64Array;
}

/** Poses of everything that is drawn: geoms, sites (both with row-major 3x3 matrices), lights and the bones of skins. */
export interface DrawnPlaces extends GeomPlaces {
  readonly sitePositions: Float64Array;
  readonly siteMatrices: Float64Array;
  readonly lightPositions: Float64Array;
  readonly lightDirections: Float64Array;
  /** Undefined for a model without skins. */
  readonly bodies?: BodyPlaces | undefined;
}

export function geomPoseAt({ positions, matrices }: GeomPlaces, index: number): Pose3 {
  return { position: vec3At(positions, index), rotation_wxyz: quatOfMatrixAt(matrices, index) };
}

/**
 * The quaternion of a row-major 3x3 rotation matrix, with w >= 0. The largest component is computed first and the
 * others are divided by it (Shepperd 1978), which avoids division by small numbers.
 */
export function quatOfMatrixAt(array: Float64Array, index: number): QuatWxyz {
  const m = (row: number, column: number) => array[9 * index + 3 * row + column] as number;
  const [xx, yy, zz] = [m(0, 0), m(1, 1), m(2, 2)];
  const [ww4, xx4, yy4, zz4] = [
    1 + xx + yy + zz,
    1 + xx - yy - zz,
    1 - xx + yy - zz,
    1 - xx - yy + zz,
  ];
  const most = Math.max(ww4, xx4, yy4, zz4);
  const [wx, wy, wz] = [m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1)];
  const [xy, xz, yz] = [m(0, 1) + m(1, 0), m(0, 2) + m(2, 0), m(1, 2) + m(2, 1)];
  const scale = 1 / (2 * Math.sqrt(most));
  if (most === ww4) return signed(most, wx, wy, wz, scale);
  if (most === xx4) return signed(wx, most, xy, xz, scale);
  if (most === yy4) return signed(wy, xy, most, yz, scale);
  return signed(wz, xz, yz, most, scale);
}

function signed(w: number, x: number, y: number, z: number, scale: number): QuatWxyz {
  const s = w < 0 ? -scale : scale;
  return [w * s, x * s, y * s, z * s];
}

/**
 * Reads from a handle to one element of a model and deletes it. Needed for booleans, which the binding does not
 * expose as arrays.
 */
export function readHandle<H extends { delete(): void }, T>(handle: H, read: (handle: H) => T): T {
  const value = read(handle);
  handle.delete();
  return value;
}
