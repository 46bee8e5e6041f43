import type { Pose3 } from "../../../core/interfaces/manipulation-view.js";
import type { Texture, TriangleMesh } from "../../scenes/model.js";

/** The constant properties of a geom, for drawing. */
export interface PhysicsGeom {
  /** Empty if the model gives it none. */
  readonly name: string;
  readonly bodyName: string;
  /** Index of the body in the model; not every body has a name. */
  readonly body: number;
  /** `plane`, `hfield`, `sphere`, `capsule`, `ellipsoid`, `cylinder`, `box`, `mesh` or `unknown`. */
  readonly type: string;
  /** MuJoCo's `geom_size`: half sizes, radius and half length, or radii. */
  readonly size: readonly [number, number, number];
  /** Colour of the geom or its material, 0 to 1. */
  readonly rgba: readonly [r: number, g: number, b: number, a: number];
  /** By convention of MuJoCo's viewers, 0 to 2 are visual and 3 and above are collision geoms. */
  readonly group: number;
  /** In the geom's own frame. */
  readonly mesh?: TriangleMesh | undefined;
  readonly texture?: Texture | undefined;
  /** The material's `texrepeat`. */
  readonly textureRepeat?: readonly [u: number, v: number] | undefined;
  /** The material's `texuniform`: repeats are per metre instead of per geom. */
  readonly textureUniform?: boolean | undefined;
}

/** The opening of a camera in metres at a distance of one metre; of an orthographic camera at any distance. */
export interface CameraLens {
  readonly top: number;
  readonly bottom: number;
  /** Undefined if the image's aspect ratio decides. */
  readonly sides: readonly [left: number, right: number] | undefined;
  readonly orthographic: boolean;
}

export interface PhysicsCamera {
  readonly pose: Pose3;
  /** Vertical field of view. */
  readonly fovyDeg: number;
  readonly lens: CameraLens;
}

/** What drawing needs of the physics. */
export interface DrawnPhysics {
  geoms(): readonly PhysicsGeom[];
  geomPose(index: number): Pose3;
  camera(name: string): Pick<PhysicsCamera, "pose" | "fovyDeg">;
}
