import type { DoubleBuffer, MjData, MjModel } from "@mujoco/mujoco";
import type { Mujoco } from "./mujoco.js";

/** Reads the inertia matrix of a model into a reused buffer, which is created on first use. The owner calls `dispose`. */
export class JointInertia {
  readonly #mujoco: Mujoco;
  readonly #model: MjModel;
  #full: DoubleBuffer | undefined;

  constructor(mujoco: Mujoco, model: MjModel) {
    this.#mujoco = mujoco;
    this.#model = model;
  }

  /** Rows and columns of MuJoCo's degrees of freedom `dofs`, row by row. */
  read(data: MjData, dofs: readonly number[]): Float64Array {
    const width = this.#model.nv;
    this.#full ??= new this.#mujoco.DoubleBuffer(width * width);
    this.#mujoco.mj_fullM(this.#model, data, this.#full);
    const full: Float64Array = this.#full.GetView();
    const out = new Float64Array(dofs.length * dofs.length);
    let at = 0;
    for (const row of dofs) for (const dof of dofs) out[at++] = full[row * width + dof] as number;
    return out;
  }

  dispose(): void {
    this.#full?.delete();
  }
}
