import type { MjModel } from "@mujoco/mujoco";
import { followStep, planeMesh } from "../../../render/mujoco/planes.js";
import { primitive, type Quality } from "../../../render/mujoco/primitives.js";
import type { GlGeom, GlMesh } from "../../../render/mujoco/scene.js";
import { GEOM_TYPES } from "../geom-types.js";
import type { DrawnMaterial } from "./materials.js";
import { type DrawnMesh, drawnHeightField, drawnMesh } from "./meshes.js";

/** Shape of a geom or site. */
export interface DrawnShape {
  /** MuJoCo's `mjtGeom`. */
  readonly type: number;
  readonly size: readonly [number, number, number];
  /** Mesh or height field; -1 for none. */
  readonly data: number;
}

type Shape = Pick<GlGeom, "mesh" | "kind" | "size" | "follow">;

/** Makes the triangles of shapes. Meshes are read once. */
export class ShapeReader {
  readonly #model: MjModel;
  readonly #quality: Quality;
  readonly #zfar: number;
  readonly #meshes = new Map<number, DrawnMesh>();
  readonly #fields = new Map<number, GlMesh>();

  constructor(model: MjModel, quality: Quality, zfar: number) {
    this.#model = model;
    this.#quality = quality;
    this.#zfar = zfar;
  }

  /** Undefined for shapes that have no surface. */
  shape({ type, size, data }: DrawnShape, material: DrawnMaterial): Shape | undefined {
    const name = GEOM_TYPES[type];
    const [a, b] = size;
    switch (name) {
      case "plane":
        return this.#plane(size, material);
      case "sphere":
        return this.#primitive("sphere", [a, a, a], material);
      case "ellipsoid":
        return this.#primitive("sphere", size, material);
      case "capsule":
      case "cylinder":
        return this.#primitive(name, [a, a, b], material);
      case "box":
        return this.#primitive("box", size, material);
      case "hfield":
        return data < 0 ? undefined : solid(size, this.#field(data), generated(size, material));
      case "mesh": {
        if (data < 0) return undefined;
        const mesh = this.#mesh(data);
        const uvs = mesh.uvs && scaledUvs(mesh.uvs, size, material);
        return solid(size, mesh, (positions) =>
          material.material.texture?.kind === "image" && uvs
            ? uvs
            : mesh.uvs
              ? undefined
              : generated(size, material)(positions),
        );
      }
      default:
        return undefined;
    }
  }

  #plane(size: DrawnShape["size"], { material, texrepeat, texuniform }: DrawnMaterial): Shape {
    const texcoords = material.texture?.kind;
    const spec = { size, texrepeat, texuniform, texcoords, zfar: this.#zfar };
    const steps = ([0, 1] as const).map((axis) =>
      size[axis] <= 0 ? followStep(spec, axis) : undefined,
    );
    const shape: Shape = { mesh: planeMesh(spec), kind: "plane", size };
    return steps.some((step) => step !== undefined)
      ? { ...shape, follow: [steps[0], steps[1]] }
      : shape;
  }

  #primitive(
    shape: Parameters<typeof primitive>[0],
    size: DrawnShape["size"],
    drawn: DrawnMaterial,
  ): Shape {
    const texcoords = drawn.material.texture?.kind;
    const mesh = primitive(shape, size, {
      quality: this.#quality,
      texcoords,
      texuniform: drawn.texuniform,
    });
    return {
      mesh:
        texcoords === "image" && mesh.texcoords
          ? { ...mesh, texcoords: scaledUvs(mesh.texcoords, size, drawn) }
          : mesh,
      kind: shape === "box" ? "box" : "solid",
      size,
    };
  }

  #mesh(id: number): DrawnMesh {
    const mesh = this.#meshes.get(id) ?? drawnMesh(this.#model, id);
    this.#meshes.set(id, mesh);
    return mesh;
  }

  #field(id: number): GlMesh {
    const field = this.#fields.get(id) ?? drawnHeightField(this.#model, id);
    this.#fields.set(id, field);
    return field;
  }
}

function solid(
  size: DrawnShape["size"],
  { positions, normals, faces, shared }: GlMesh,
  texcoords: (positions: Float32Array) => Float32Array | undefined,
): Shape {
  return {
    mesh: { positions, normals, faces, shared, texcoords: texcoords(positions) },
    kind: "solid",
    size,
  };
}

/** Image coordinates of a shape that has its own, repeated as the material says. */
function scaledUvs(
  uvs: Float32Array,
  size: DrawnShape["size"],
  { texrepeat, texuniform }: DrawnMaterial,
): Float32Array {
  const [u, v] = ([0, 1] as const).map((axis) => {
    const repeat = texrepeat?.[axis] ?? 0;
    return (repeat > 0 ? repeat : 1) * (texuniform && size[axis] > 0 ? size[axis] : 1);
  }) as [number, number];
  return uvs.map((value, i) => value * (i % 2 === 0 ? u : v));
}

/** Coordinates of meshes and height fields that have none: images are projected along z, cubes from the centre. */
function generated(
  size: DrawnShape["size"],
  { material, texrepeat, texuniform }: DrawnMaterial,
): (positions: Float32Array) => Float32Array | undefined {
  return (positions) => {
    if (!material.texture) return undefined;
    if (material.texture.kind === "cube") {
      return texuniform ? positions.map((value, i) => value * (size[i % 3] ?? 1)) : positions;
    }
    const [s, t] = ([0, 1] as const).map((axis) => {
      const repeat = texrepeat?.[axis] ?? 0;
      if (size[axis] <= 0) return repeat;
      return texuniform ? repeat : repeat / Math.max(1e-15, size[axis]);
    }) as [number, number];
    const out = new Float32Array((positions.length / 3) * 2);
    for (let v = 0; v < out.length / 2; v++) {
      out[2 * v] = 0.5 * s * (positions[3 * v] as number) - 0.5;
      out[2 * v + 1] = -0.5 * t * (positions[3 * v + 1] as number) - 0.5;
    }
    return out;
  };
}
