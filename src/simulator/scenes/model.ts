import type { Vec3 } from "../../core/math/vec3.js";

/**
 * A scene as simulators and the renderer hold it, wherever it came from: a generator, a glTF or OBJ file,
 * or a physics engine. Metres, Habitat's axes: x right, y up, -z ahead.
 */
export interface SceneModel {
  /** As episodes name it: `apartment/7`, `mp3d/<scan>/<scan>.glb`. */
  readonly id: string;
  readonly parts: readonly ScenePart[];
  /** Things one can name. `instances[0]` is the building itself: walls, floors, ceilings. */
  readonly instances: readonly SceneInstance[];
  /** Empty where the scene does not know its rooms. */
  readonly rooms: readonly SceneRoom[];
  /** Openings between two rooms, or between a room and the outside. */
  readonly doors: readonly SceneDoor[];
}

/** Triangles that share a surface and move together. */
export interface ScenePart {
  readonly mesh: TriangleMesh;
  readonly material: Material;
  /** Index into `instances`; what the semantic sensors see. */
  readonly instance: number;
  /** Where the part stands, 16 numbers column by column as in glTF; absent for the identity. */
  readonly transform?: readonly number[];
  /** False for what cannot be bumped into or stood on: a lamp's glow, a curtain of light. */
  readonly solid?: boolean;
}

export interface TriangleMesh {
  /** x, y, z of each vertex. */
  readonly positions: Float32Array;
  /** Three vertices a triangle, counter-clockwise seen from its front. */
  readonly indices: Uint32Array;
  /** Unit vectors; without them a triangle is lit as flat. */
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
  /** Shown as it is, whatever the light: a window's sky, a lit screen, a photogrammetric scan. */
  readonly unlit?: boolean;
  /** Seen from behind as well. */
  readonly doubleSided?: boolean;
}

/** Repeats in both directions. */
export interface Texture {
  readonly width: number;
  readonly height: number;
  /** r, g, b, a, row by row from the top; sRGB. */
  readonly data: Uint8Array;
}

export interface SceneInstance {
  /** Unique in the scene: `chair_3`. */
  readonly name: string;
  /** `chair`, `wall`, `unknown`. */
  readonly category: string;
  readonly min: Vec3;
  readonly max: Vec3;
  /** The room's name, where it is known. */
  readonly room?: string;
}

export interface SceneRoom {
  /** Unique in the scene: `bedroom_2`. */
  readonly name: string;
  /** `kitchen`, `bedroom`, `bathroom`, `living_room`, `corridor`, ... */
  readonly kind: string;
  /** Corners of its floor in the plane y = floorM, x and z, in order around it. */
  readonly outline: readonly (readonly [x: number, z: number])[];
  /** Height of its floor. */
  readonly floorM: number;
}

export interface SceneDoor {
  /** Names of the rooms it joins. */
  readonly rooms: readonly [string, string];
  /** The middle of the threshold. */
  readonly position: Vec3;
  /** Clear width. */
  readonly widthM: number;
}
