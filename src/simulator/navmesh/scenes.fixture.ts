import type { Vec3 } from "../../core/math/vec3.js";
import type { Geometry } from "./build.js";

/** Builds small test scenes from boxes. */
export class Boxes {
  readonly #positions: number[] = [];
  readonly #indices: number[] = [];

  /** A closed box whose faces point outwards. */
  box(min: Vec3, max: Vec3): this {
    const first = this.#positions.length / 3;
    for (let i = 0; i < 8; i++)
      this.#positions.push((i & 1 ? max : min)[0], (i & 2 ? max : min)[1], (i & 4 ? max : min)[2]);
    const faces = [
      [0, 2, 3, 1],
      [4, 5, 7, 6],
      [0, 4, 6, 2],
      [1, 3, 7, 5],
      [2, 6, 7, 3],
      [0, 1, 5, 4],
    ];
    for (const [a = 0, b = 0, c = 0, d = 0] of faces)
      this.#indices.push(first + a, first + b, first + c, first + a, first + c, first + d);
    return this;
  }

  /** A slab 0.2 m thick whose top is at `y`. */
  floor(x0: number, z0: number, x1: number, z1: number, y = 0): this {
    return this.box([x0, y - 0.2, z0], [x1, y, z1]);
  }

  wall(x0: number, z0: number, x1: number, z1: number, y = 0): this {
    return this.box([x0, y, z0], [x1, y + 2.5, z1]);
  }

  get geometry(): Geometry {
    return {
      positions: Float32Array.from(this.#positions),
      indices: Uint32Array.from(this.#indices),
    };
  }
}

/** An empty floor of 6 x 6 m, walkable up to about 0.2 m from the edge. */
export function emptyRoom(): Geometry {
  return new Boxes().floor(-3, -3, 3, 3).geometry;
}

/**
 * 12 x 8 m: two rooms joined by a door at z = 0 (0.9 m wide), with a table in each. A third room, 3 m wide,
 * lies behind a closed wall at x = 6.
 */
export function apartment(): Geometry {
  return new Boxes()
    .floor(-6, -4, 9, 4)
    .wall(-6.1, -4, -6, 4)
    .wall(8.9, -4, 9, 4)
    .wall(-6, -4.1, 9, -4)
    .wall(-6, 4, 9, 4.1)
    .wall(-0.1, -4, 0.1, -0.45)
    .wall(-0.1, 0.45, 0.1, 4)
    .wall(5.9, -4, 6.1, 4)
    .box([-3.5, 0, -1.2], [-2, 0.75, 0.6])
    .box([2, 0, -0.5], [4, 1.9, 1.5]).geometry;
}

/** A corridor that runs 12 m back and forth `rows` times, with gaps of 1 m at alternate ends. */
export function labyrinth(rows: number): Geometry {
  const boxes = new Boxes().floor(0, 0, 12, rows * 1.2);
  for (let row = 1; row < rows; row++) {
    const left = row % 2 === 0;
    boxes.wall(left ? 1 : 0, row * 1.2 - 0.1, left ? 12 : 11, row * 1.2 + 0.1);
  }
  return boxes.geometry;
}

export const UPPER_M = 2.88;

/**
 * A storey of 12 x 6 m, with another one 2.88 m above its right part (x > 4.48). Sixteen stairs of 0.18 m
 * lead up along z = 0 from x = 0.
 */
export function twoStoreys(stairs: "with stairs" | "without stairs"): Geometry {
  const boxes = new Boxes().floor(-3, -3, 9, 3).floor(4.48, -3, 9, 3, UPPER_M);
  if (stairs === "with stairs")
    for (let i = 0; i < 16; i++)
      boxes.box([i * 0.28, 0, -0.6], [(i + 1) * 0.28, (i + 1) * 0.18, 0.6]);
  return boxes.geometry;
}
