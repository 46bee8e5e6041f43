import type { Pose3 } from "../../../core/interfaces/manipulation-view.js";
import type { Texture } from "../../scenes/model.js";

type GeomType =
  | "plane"
  | "hfield"
  | "sphere"
  | "capsule"
  | "ellipsoid"
  | "cylinder"
  | "box"
  | "mesh";

/** A geom of a compiled model as drawing needs it: what does not change while the model lives. */
export interface PhysicsGeom {
  /** Empty where the model gives it none. */
  readonly name: string;
  readonly bodyName: string;
  /** The body's number in the model: not every body has a name. */
  readonly body: number;
  readonly type: GeomType | (string & {});
  /** MuJoCo's `geom_size`: half sizes; radius and half length; radii. */
  readonly size: readonly [number, number, number];
  /** The geom's own or its material's, 0 to 1. */
  readonly rgba: readonly [r: number, g: number, b: number, a: number];
  /** 0 to 2 are for looking at, 3 and above for colliding, by the custom of MuJoCo's viewers. */
  readonly group: number;
  /** In the geom's own frame. */
  readonly mesh?: GeomMesh | undefined;
  readonly texture?: Texture | undefined;
  /** The material's `texrepeat`. */
  readonly textureRepeat?: readonly [u: number, v: number] | undefined;
  /** The material's `texuniform`: repeats are counted a metre and not a geom. */
  readonly textureUniform?: boolean | undefined;
}

export interface GeomMesh {
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
  readonly normals?: Float32Array | undefined;
  readonly uvs?: Float32Array | undefined;
}

/** What drawing asks of the physics. */
export interface DrawnPhysics {
  geoms(): readonly PhysicsGeom[];
  geomPose(index: number): Pose3;
  camera(name: string): { readonly pose: Pose3; readonly fovyDeg: number };
}
