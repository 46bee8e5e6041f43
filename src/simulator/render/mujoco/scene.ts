/**
 * A scene as MuJoCo's own renderer takes it (`mjvScene` and `mjrContext` in its sources): world axes with z up, metres,
 * colours 0 to 1 without gamma.
 */
export interface GlScene {
  readonly geoms: readonly GlGeom[];
  readonly lights: readonly GlLight[];
  readonly headlight: GlColours | undefined;
  /** The six faces of the sky; undefined leaves the background black. */
  readonly skybox: GlTexture | undefined;
  readonly settings: GlSettings;
}

/** A geom, site or skin. Its vertices are in its own frame; scaling is part of them. */
export interface GlGeom {
  readonly mesh: GlMesh;
  /** Whether the owner of the scene changes positions and normals of the mesh between images. */
  readonly deforms?: boolean;
  readonly material: GlMaterial;
  /** What it looks like to reflections, transparency and haze; every other shape is `solid`. */
  readonly kind: "plane" | "box" | "solid";
  /** Half sizes of a plane or box. */
  readonly size: readonly [number, number, number];
  /** For planes that are infinite along x or y: they follow the camera in steps of this length. */
  readonly follow?: readonly [x: number | undefined, y: number | undefined];
  /** Number in `ids`; 0 is the background. */
  readonly instance: number;
  /** Number in `geoms`; -1 is the background. */
  readonly segment: number;
  /** Radius that transparent geoms are sorted by. */
  readonly sortRadius: number;
}

export interface GlMesh {
  /** x, y, z of each vertex. */
  readonly positions: Float32Array;
  /** Unit vectors. */
  readonly normals: Float32Array;
  /** Two numbers per vertex for an image, three for a cube map; undefined without texture. */
  readonly texcoords?: Float32Array | undefined;
  /** Three vertices per triangle, counter-clockwise seen from its front. */
  readonly faces: Uint32Array;
  /** The same surface in fewer triangles, for shadows, if the mesh is subdivided for lighting only. */
  readonly outline?: GlSurface | undefined;
  /** The same triangles in the same order, with one vertex per position, which is projected once. */
  readonly shared?: GlSurface | undefined;
}

export interface GlSurface {
  readonly positions: Float32Array;
  readonly faces: Uint32Array;
}

export interface GlMaterial {
  readonly rgba: readonly [number, number, number, number];
  readonly emission: number;
  readonly specular: number;
  /** 0 to 1; OpenGL's exponent is 128 times this. */
  readonly shininess: number;
  readonly reflectance: number;
  readonly texture?: GlTexture | undefined;
}

/** An image that repeats, or the six faces of a cube. */
export interface GlTexture {
  readonly kind: "image" | "cube";
  /** One for an image. */
  readonly faces: readonly GlMipMap[];
}

/**
 * An image and its mip levels, from the finest on. Each level has a border of one texel on all sides, which holds what a
 * filter finds there: the opposite side of an image that repeats, else the nearest texel. Texels are in blocks of 4 x 4,
 * one cache line each, so that neighbours in any direction are mostly read together.
 */
export interface GlMipMap {
  /** Of each level: index of its first texel, width and height without the border, and texels in a row of blocks. */
  readonly levels: Int32Array;
  /** r in the lowest byte, then g, b, a; the first row is at t = 0. */
  readonly texels: Int32Array;
}

export interface GlColours {
  readonly ambient: readonly [number, number, number];
  readonly diffuse: readonly [number, number, number];
  readonly specular: readonly [number, number, number];
}

/** A directional light or a spot; the fixed-function pipeline has no other. */
export interface GlLight extends GlColours {
  readonly directional: boolean;
  readonly castShadow: boolean;
  readonly attenuation: readonly [constant: number, linear: number, quadratic: number];
  readonly exponent: number;
  readonly cutoffDeg: number;
}

/** The parts of MJCF's `visual` and `statistic` that the picture depends on. */
export interface GlSettings {
  /** Clipping distances in metres. */
  readonly znear: number;
  readonly zfar: number;
  /** Texels of a shadow map's side; 0 for no shadows. */
  readonly shadowSize: number;
  /** Half side of a directional light's shadow map, in metres. */
  readonly shadowClip: number;
  /** Part of a spot's cone that its shadow map covers. */
  readonly shadowScale: number;
  readonly haze: number;
  readonly hazeRgb: readonly [number, number, number];
  readonly slices: number;
  /** Samples per pixel: 1 or 4. */
  readonly samples: 1 | 4;
  readonly shadows: boolean;
  readonly reflections: boolean;
  /**
   * Whether transparent geoms have depth. They have in `mujoco.Renderer`, which draws depth like segmentation, but not in
   * environments that read the depth of the colour image.
   */
  readonly transparentDepth: boolean;
}

/** The poses at one moment, in the order of the scene's geoms and lights. */
export interface GlPoses {
  /** Three numbers per geom. */
  readonly positions: Float64Array;
  /** Row-major 3x3 matrix per geom. */
  readonly matrices: Float64Array;
  readonly lightPositions: Float64Array;
  readonly lightDirections: Float64Array;
}

/** A camera that looks along the third column's negative, with the second column up. */
export interface GlCamera {
  readonly position: readonly [number, number, number];
  /** Row-major 3x3. */
  readonly matrix: ArrayLike<number>;
  /** The frustum at `znear`, in metres; for an orthographic camera the sides of its box. */
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
  readonly orthographic: boolean;
}
