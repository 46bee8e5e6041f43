import type { Vec3 } from "../../core/math/vec3.js";

/**
 * A scene as used by simulators and the renderer, from any source: a generator, a glTF or OBJ file, or a
 * physics engine. In metres and Habitat's axes: x right, y up, -z ahead.
 */
export interface SceneModel {
  /** The scene id in episodes: `apartment/7`, `mp3d/<scan>/<scan>.glb`. */
  readonly id: string;
  readonly parts: readonly ScenePart[];
  /**
   * What semantic cameras see instead of `parts`, in scenes whose annotations are a mesh of their own (HM3D,
   * Matterport3D, Gibson). Nothing collides with it.
   */
  readonly semanticParts?: readonly ScenePart[];
  /** Named objects. `instances[0]` is the building itself: walls, floors, ceilings. */
  readonly instances: readonly SceneInstance[];
  /** Empty if the scene has no room annotations. */
  readonly rooms: readonly SceneRoom[];
  /** Openings between two rooms, or between a room and the outside. */
  readonly doors: readonly SceneDoor[];
  /** Drawers of furniture that a simulator can move; closed in `parts`, or left out of them. */
  readonly drawers?: readonly SceneDrawer[];
}

/** A drawer of a piece of furniture. */
export interface SceneDrawer {
  /** Unique in the scene: `chest_of_drawers_1_drawer_1` is the uppermost of its chest. */
  readonly name: string;
  /** The name of the furniture's `SceneInstance`. */
  readonly furniture: string;
  /** Middle of its closed front. */
  readonly front: Vec3;
  /** Rotation about +y of the direction in which it opens; at 0 it opens along +z. */
  readonly yawRad: number;
  /** Width and height of the front, and depth of the drawer. */
  readonly sizeM: Vec3;
  readonly material: Material;
}

/** Triangles that share a material and move together. */
export interface ScenePart {
  readonly mesh: TriangleMesh;
  readonly material: Material;
  /** Index into `instances`, which semantic sensors report. */
  readonly instance: number;
  /** Pose of the part, 16 numbers in column-major order as in glTF; undefined means the identity. */
  readonly transform?: readonly number[];
  /** False for parts without collisions, such as a lamp's glow. */
  readonly solid?: boolean;
}

export interface TriangleMesh {
  /** x, y, z of each vertex. */
  readonly positions: Float32Array;
  /** Three vertices per triangle, counter-clockwise seen from its front. */
  readonly indices: Uint32Array;
  /** Unit vectors; without them triangles are flat-shaded. */
  readonly normals?: Float32Array;
  /** u, v of each vertex; (0, 0) is the texture's upper left corner, as in glTF. */
  readonly uvs?: Float32Array;
  /** r, g, b, a of each vertex, 0 to 255; multiplies the material. */
  readonly colors?: Uint8Array;
}

export interface Material {
  readonly name: string;
  /** sRGB and opacity, 0 to 1; multiplies the texture. */
  readonly color: readonly [r: number, g: number, b: number, a: number];
  readonly texture?: Texture;
  /** Light that the surface gives off, in addition to the light that it reflects; ignored if `unlit`. */
  readonly emission?: Emission;
  /** Rendered without lighting: a window's sky, a lit screen, a photogrammetric scan. */
  readonly unlit?: boolean;
  /** Visible from behind as well. */
  readonly doubleSided?: boolean;
}

export interface Emission {
  /** Linear, from 0; above 1 for light that is brighter than the image can show. Multiplies the texture. */
  readonly color: readonly [r: number, g: number, b: number];
  /** Has the same texture coordinates as the material's `texture`. */
  readonly texture?: Texture;
}

/** What a texture shows beyond its edges. */
export type TextureWrap = "repeat" | "clamp" | "mirror";

export interface Texture {
  readonly width: number;
  readonly height: number;
  /** r, g, b, a, row by row from the top; sRGB. */
  readonly data: Uint8Array;
  /** Along u and v; `repeat` by default. */
  readonly wrap?: readonly [u: TextureWrap, v: TextureWrap];
  /** Interpolates between texels that are larger than a pixel; without it, the nearest one is shown. */
  readonly filter?: "linear";
}

export interface SceneInstance {
  /** Unique in the scene: `chair_3`. */
  readonly name: string;
  /** `chair`, `wall`, `unknown`. */
  readonly category: string;
  readonly min: Vec3;
  readonly max: Vec3;
  /** Name of the room, if known. */
  readonly room?: string;
}

export interface SceneRoom {
  /** Unique in the scene: `bedroom_2`. */
  readonly name: string;
  /** `kitchen`, `bedroom`, `bathroom`, `living_room`, `corridor`, ... */
  readonly kind: string;
  /** Corners of its floor in the plane y = floorM as x and z, in order around the room. */
  readonly outline: readonly (readonly [x: number, z: number])[];
  /** Height of its floor. */
  readonly floorM: number;
}

export interface SceneDoor {
  /** Names of the rooms that it connects. */
  readonly rooms: readonly [string, string];
  /** The middle of the threshold. */
  readonly position: Vec3;
  /** Clear width. */
  readonly widthM: number;
}
