import type { DoubleBuffer, MjData, MjModel } from "@mujoco/mujoco";
import { cachedView } from "./arrays.js";
import type { Mujoco } from "./mujoco.js";

/** Reads the inertia matrix of a model into a reused buffer, which is created on first use. The owner calls `dispose`. */
export class JointInertia {
  readonly #mujoco: Mujoco;
  readonly #model: MjModel;
  /** Number of MuJoCo's degrees of freedom. */
  readonly #width: number;
  #full: { readonly buffer: DoubleBuffer; readonly view: () => Float64Array } | undefined;

  constructor(mujoco: Mujoco, model: MjModel) {
    this.#mujoco = mujoco;
    this.#model = model;
    this.#width = model.nv;
  }

  /** Rows and columns of MuJoCo's degrees of freedom `dofs`, row by row. */
  read(
    data: MjData,
    dofs: readonly number[],
    out: Float64Array = new Float64Array(dofs.length * dofs.length),
  ): Float64Array {
    this.#full ??= this.#createBuffer();
    const { buffer, view } = this.#full;
    this.#mujoco.mj_fullM(this.#model, data, buffer);
    const full = view();
    const count = dofs.length;
    for (let row = 0; row < count; row++) {
      const start = (dofs[row] as number) * this.#width;
      for (let column = 0; column < count; column++) {
        out[row * count + column] = full[start + (dofs[column] as number)] as number;
      }
    }
    return out;
  }

  dispose(): void {
    this.#full?.buffer.delete();
  }

  #createBuffer() {
    const buffer = new this.#mujoco.DoubleBuffer(this.#width * this.#width);
    return { buffer, view: cachedView<Float64Array>(() => buffer.GetView()) };
  }
}
