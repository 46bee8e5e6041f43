import type { MjData, MjModel } from "@mujoco/mujoco";
import { cachedView } from "./arrays.js";

/**
 * Reads the inertia of some degrees of freedom from MuJoCo's sparse matrix, with the same bits as `mj_fullM`, which
 * writes the matrix of the whole model.
 */
export class JointInertia {
  readonly #model: MjModel;
  readonly #matrix: () => Float64Array;
  readonly #addresses = new WeakMap<readonly number[], Int32Array>();

  constructor(model: MjModel, data: MjData) {
    this.#model = model;
    this.#matrix = cachedView<Float64Array>(() => data.M);
  }

  /** Rows and columns of MuJoCo's degrees of freedom `dofs`, row by row. */
  read(
    dofs: readonly number[],
    out: Float64Array = new Float64Array(dofs.length * dofs.length),
  ): Float64Array {
    const matrix = this.#matrix();
    const addresses = this.#addressesOf(dofs);
    for (let i = 0; i < addresses.length; i++) {
      const at = addresses[i] as number;
      out[i] = at < 0 ? 0 : (matrix[at] as number);
    }
    return out;
  }

  /** Address of each element in the sparse matrix; negative for one that is always zero. */
  #addressesOf(dofs: readonly number[]): Int32Array {
    const known = this.#addresses.get(dofs);
    if (known) return known;
    const found = Int32Array.from(dofs.flatMap((row) => dofs.map((dof) => this.#find(row, dof))));
    this.#addresses.set(dofs, found);
    return found;
  }

  /** MuJoCo stores the lower triangle. */
  #find(one: number, other: number): number {
    const [row, column] = [Math.max(one, other), Math.min(one, other)];
    const { M_rowadr, M_rownnz, M_colind } = this.#model;
    const start: number = M_rowadr[row];
    const columns: Int32Array = M_colind.subarray(start, start + M_rownnz[row]);
    const at = columns.indexOf(column);
    return at < 0 ? -1 : start + at;
  }
}
