import type { MjModel } from "@mujoco/mujoco";
import { conjugate, matrixOf, multiply } from "../../../../core/math/quat-wxyz.js";
import type { QuatWxyz } from "../../../../core/math/rotation.js";
import type { GlMesh } from "../../../render/mujoco/scene.js";
import { quatAt, vec3At } from "../arrays.js";
import type { BodyPlaces } from "../bodies.js";

/** A body that moves vertices of a skin, and its pose when the skin was attached. */
interface Bone {
  readonly body: number;
  readonly position: readonly [number, number, number];
  readonly rotation: QuatWxyz;
  readonly vertices: Int32Array;
  readonly weights: Float32Array;
}

/**
 * A skin of a model: a mesh whose vertices are the weighted mean of where its bones would move them, as
 * `mjv_updateActiveSkin` of MuJoCo (`engine_vis_visualize.c`) computes them. Its frame has the place of the first bone
 * and the axes of the world.
 */
export class DrawnSkin {
  /** Changes with `deform`. */
  readonly mesh: GlMesh;
  /** The body of the first bone. */
  readonly body: number;
  readonly #rest: Float32Array;
  readonly #bones: readonly Bone[];
  readonly #inflate: number;

  constructor(model: MjModel, id: number) {
    const first: number = model.skin_vertadr[id];
    const count: number = model.skin_vertnum[id];
    const firstFace: number = model.skin_faceadr[id];
    const uvs: number = model.skin_texcoordadr[id];
    this.#rest = model.skin_vert.slice(3 * first, 3 * (first + count));
    this.mesh = {
      positions: this.#rest.slice(),
      normals: new Float32Array(3 * count),
      texcoords: uvs < 0 ? undefined : model.skin_texcoord.slice(2 * uvs, 2 * (uvs + count)),
      faces: Uint32Array.from(
        model.skin_face.subarray(3 * firstFace, 3 * (firstFace + model.skin_facenum[id])),
      ),
    };
    const firstBone: number = model.skin_boneadr[id];
    this.#bones = Array.from({ length: model.skin_bonenum[id] }, (_, i) =>
      boneOf(model, firstBone + i),
    );
    this.body = this.#bones[0]?.body ?? 0;
    this.#inflate = model.skin_inflate[id];
  }

  /** Moves the vertices to where the bodies are. Poses that are not finite, after a divergence, are ignored. */
  deform({ positions, rotations }: BodyPlaces): void {
    const isPlaced = this.#bones.every(({ body }) =>
      [...vec3At(positions, body), ...quatAt(rotations, body)].every(Number.isFinite),
    );
    if (!isPlaced) return;
    const origin = vec3At(positions, this.body);
    const out = this.mesh.positions.fill(0);
    for (const bone of this.#bones) {
      const [x, y, z] = vec3At(positions, bone.body);
      const m = matrixOf(multiply(quatAt(rotations, bone.body), conjugate(bone.rotation)));
      const [bx, by, bz] = bone.position;
      for (let i = 0; i < bone.vertices.length; i++) {
        const at = 3 * (bone.vertices[i] as number);
        const weight = bone.weights[i] as number;
        const px = (this.#rest[at] as number) - bx;
        const py = (this.#rest[at + 1] as number) - by;
        const pz = (this.#rest[at + 2] as number) - bz;
        for (const [k, place] of [x, y, z].entries()) {
          const turned =
            (m[3 * k] as number) * px +
            (m[3 * k + 1] as number) * py +
            (m[3 * k + 2] as number) * pz;
          out[at + k] = (out[at + k] as number) + weight * (turned + place - (origin[k] as number));
        }
      }
    }
    this.#computeNormals();
    if (this.#inflate === 0) return;
    const { normals } = this.mesh;
    for (let i = 0; i < out.length; i++) {
      out[i] = (out[i] as number) + this.#inflate * (normals[i] as number);
    }
  }

  /** The mean of the normals of the faces around a vertex, weighted by area. */
  #computeNormals(): void {
    const { positions: p, faces } = this.mesh;
    const normals = this.mesh.normals.fill(0);
    for (let f = 0; f < faces.length; f += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => 3 * (faces[f + k] as number)) as [
        number,
        number,
        number,
      ];
      const edge = (to: number, k: number) => (p[to + k] as number) - (p[a + k] as number);
      for (let k = 0; k < 3; k++) {
        const [u, v] = [(k + 1) % 3, (k + 2) % 3];
        const normal = edge(b, u) * edge(c, v) - edge(b, v) * edge(c, u);
        for (const corner of [a, b, c]) {
          normals[corner + k] = (normals[corner + k] as number) + normal;
        }
      }
    }
    for (let v = 0; v < normals.length; v += 3) {
      const length = Math.hypot(
        normals[v] as number,
        normals[v + 1] as number,
        normals[v + 2] as number,
      );
      for (let k = v; k < v + 3; k++) normals[k] = (normals[k] as number) / Math.max(1e-15, length);
    }
  }
}

function boneOf(model: MjModel, bone: number): Bone {
  const first: number = model.skin_bonevertadr[bone];
  const end = first + model.skin_bonevertnum[bone];
  return {
    body: model.skin_bonebodyid[bone],
    position: vec3At(model.skin_bonebindpos, bone),
    rotation: quatAt(model.skin_bonebindquat, bone),
    vertices: model.skin_bonevertid.slice(first, end),
    weights: model.skin_bonevertweight.slice(first, end),
  };
}
