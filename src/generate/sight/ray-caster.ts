import type { Vec3 } from "../../core/math/vec3.js";
import { worldPositions } from "../../simulator/scenes/geometry.js";
import type { SceneModel } from "../../simulator/scenes/model.js";

const LEAF = 4;
/** Maximum tree depth; each level halves the triangles. */
const DEPTH = 64;

/**
 * Finds the first triangle on a line of sight. Uses a bounding volume hierarchy over all opaque triangles of a scene,
 * split at the median triangle along the longest side of each box.
 */
export class RayCaster {
  /** Nine numbers per triangle: one corner and the edges to the two others. */
  readonly #triangles: Float64Array;
  readonly #instances: Int32Array;
  /** Triangle indices in tree order. */
  readonly #order: Uint32Array;
  readonly #stack = new Int32Array(DEPTH);
  /** Six numbers per node: minimum and maximum corner. */
  readonly #boxes: number[] = [];
  /** Two numbers per node: first triangle and -count for leaves, otherwise the two children. */
  readonly #links: number[] = [];

  constructor({ parts }: Pick<SceneModel, "parts">) {
    const opaque = parts.filter(
      ({ solid, material }) => solid !== false && material.color[3] > 0.5,
    );
    const count = opaque.reduce((sum, { mesh }) => sum + mesh.indices.length / 3, 0);
    this.#triangles = new Float64Array(count * 9);
    this.#instances = new Int32Array(count);
    this.#order = Uint32Array.from({ length: count }, (_, i) => i);
    let at = 0;
    for (const part of opaque) {
      const placed = worldPositions(part);
      const { indices } = part.mesh;
      for (let i = 0; i < indices.length; i += 3) {
        this.#instances[at] = part.instance;
        this.#store(at++, placed, indices, i);
      }
    }
    if (count > 0) this.#build(0, count);
  }

  /** The first instance on the line from a point to another, up to slightly beyond it. */
  firstHit(from: Vec3, to: Vec3): number | undefined {
    if (this.#links.length === 0) return undefined;
    const [ox, oy, oz] = from;
    const ray: Ray = {
      ox,
      oy,
      oz,
      // A zero component would divide by zero; a tiny one gives huge values that the box test handles.
      dx: to[0] - ox || 1e-300,
      dy: to[1] - oy || 1e-300,
      dz: to[2] - oz || 1e-300,
    };
    const stack = this.#stack;
    let nearest = 1.02;
    let hit: number | undefined;
    stack[0] = 0;
    let top = 1;
    while (top > 0) {
      const node = stack[--top] as number;
      if (!this.#meetsBox(node, ray, nearest)) continue;
      const a = this.#links[2 * node] as number;
      const b = this.#links[2 * node + 1] as number;
      if (b > 0) {
        stack[top++] = a;
        stack[top++] = b;
        continue;
      }
      for (let i = a; i < a - b; i++) {
        const triangle = this.#order[i] as number;
        const t = this.#meet(triangle, ray);
        if (t >= nearest) continue;
        nearest = t;
        hit = this.#instances[triangle];
      }
    }
    return hit;
  }

  #store(at: number, positions: Float32Array, indices: Uint32Array, i: number): void {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * (indices[i + k] as number)) as [
      number,
      number,
      number,
    ];
    for (let axis = 0; axis < 3; axis++) {
      const corner = positions[a + axis] as number;
      this.#triangles[9 * at + axis] = corner;
      this.#triangles[9 * at + 3 + axis] = (positions[b + axis] as number) - corner;
      this.#triangles[9 * at + 6 + axis] = (positions[c + axis] as number) - corner;
    }
  }

  #build(from: number, to: number): number {
    const node = this.#links.length / 2;
    const box = this.#boxOf(from, to);
    this.#boxes.push(...box);
    this.#links.push(from, from - to);
    if (to - from <= LEAF) return node;
    const sides = [0, 1, 2].map((axis) => (box[3 + axis] as number) - (box[axis] as number));
    const axis = sides.indexOf(Math.max(...sides));
    // Keep the order of ties, so that the same scene always gives the same tree.
    const sorted = this.#order
      .slice(from, to)
      .sort((a, b) => this.#middle(a, axis) - this.#middle(b, axis) || a - b);
    this.#order.set(sorted, from);
    const half = (from + to) >> 1;
    const left = this.#build(from, half);
    this.#links[2 * node] = left;
    this.#links[2 * node + 1] = this.#build(half, to);
    return node;
  }

  #boxOf(from: number, to: number): number[] {
    const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    for (let i = from; i < to; i++) {
      const at = 9 * (this.#order[i] as number);
      for (let axis = 0; axis < 3; axis++) {
        const a = this.#triangles[at + axis] as number;
        const b = a + (this.#triangles[at + 3 + axis] as number);
        const c = a + (this.#triangles[at + 6 + axis] as number);
        box[axis] = Math.min(box[axis] as number, a, b, c);
        box[3 + axis] = Math.max(box[3 + axis] as number, a, b, c);
      }
    }
    return box;
  }

  #middle(triangle: number, axis: number): number {
    const at = 9 * triangle + axis;
    const [b, c] = [this.#triangles[at + 3] as number, this.#triangles[at + 6] as number];
    return (this.#triangles[at] as number) + (b + c) / 3;
  }

  #meetsBox(node: number, ray: Ray, upTo: number): boolean {
    const box = this.#boxes;
    const at = 6 * node;
    const x0 = ((box[at] as number) - ray.ox) / ray.dx;
    const x1 = ((box[at + 3] as number) - ray.ox) / ray.dx;
    const y0 = ((box[at + 1] as number) - ray.oy) / ray.dy;
    const y1 = ((box[at + 4] as number) - ray.oy) / ray.dy;
    const z0 = ((box[at + 2] as number) - ray.oz) / ray.dz;
    const z1 = ((box[at + 5] as number) - ray.oz) / ray.dz;
    const enter = Math.max(0, Math.min(x0, x1), Math.min(y0, y1), Math.min(z0, z1));
    const leave = Math.min(upTo, Math.max(x0, x1), Math.max(y0, y1), Math.max(z0, z1));
    return enter <= leave;
  }

  /** Distance along the line to a triangle, from either side; Infinity if missed (Moeller-Trumbore). */
  #meet(triangle: number, { ox, oy, oz, dx, dy, dz }: Ray): number {
    const t = this.#triangles;
    const at = 9 * triangle;
    const ax = t[at + 3] as number;
    const ay = t[at + 4] as number;
    const az = t[at + 5] as number;
    const bx = t[at + 6] as number;
    const by = t[at + 7] as number;
    const bz = t[at + 8] as number;
    const px = dy * bz - dz * by;
    const py = dz * bx - dx * bz;
    const pz = dx * by - dy * bx;
    const det = ax * px + ay * py + az * pz;
    if (Math.abs(det) < 1e-14) return Number.POSITIVE_INFINITY;
    const sx = ox - (t[at] as number);
    const sy = oy - (t[at + 1] as number);
    const sz = oz - (t[at + 2] as number);
    const u = (sx * px + sy * py + sz * pz) / det;
    if (u < 0 || u > 1) return Number.POSITIVE_INFINITY;
    const qx = sy * az - sz * ay;
    const qy = sz * ax - sx * az;
    const qz = sx * ay - sy * ax;
    const v = (dx * qx + dy * qy + dz * qz) / det;
    if (v < 0 || u + v > 1) return Number.POSITIVE_INFINITY;
    const along = (bx * qx + by * qy + bz * qz) / det;
    return along > 1e-6 ? along : Number.POSITIVE_INFINITY;
  }
}

/** Origin and direction; distances are in units of the direction's length. */
interface Ray {
  readonly ox: number;
  readonly oy: number;
  readonly oz: number;
  readonly dx: number;
  readonly dy: number;
  readonly dz: number;
}
