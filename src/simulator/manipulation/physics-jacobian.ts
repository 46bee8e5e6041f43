import type { DoubleBuffer, MjData, MjModel } from "@mujoco/mujoco";
import type { Mujoco } from "./mujoco.js";

/** Site Jacobians of a model, into buffers that are made once; whoever makes one calls `dispose`. */
export class SiteJacobian {
  readonly #mujoco: Mujoco;
  readonly #model: MjModel;
  readonly #moves: DoubleBuffer;
  readonly #turns: DoubleBuffer;

  constructor(mujoco: Mujoco, model: MjModel) {
    this.#mujoco = mujoco;
    this.#model = model;
    this.#moves = new mujoco.DoubleBuffer(3 * model.nv);
    this.#turns = new mujoco.DoubleBuffer(3 * model.nv);
  }

  /**
   * How the site moves (x, y, z) and turns (about x, y, z of the world) with MuJoCo's degrees of freedom
   * `columns`: 6 rows. Wants kinematics and centres of mass of the same positions.
   */
  read(data: MjData, site: number, columns: readonly number[]): Float64Array {
    this.#mujoco.mj_jacSite(this.#model, data, this.#moves, this.#turns, site);
    const width = this.#model.nv;
    const out = new Float64Array(6 * columns.length);
    const rows: readonly Float64Array[] = [this.#moves.GetView(), this.#turns.GetView()];
    for (const [half, view] of rows.entries()) {
      for (let row = 0; row < 3; row++) {
        const start = (3 * half + row) * columns.length;
        for (const [i, column] of columns.entries()) {
          out[start + i] = view[row * width + column] as number;
        }
      }
    }
    return out;
  }

  dispose(): void {
    this.#moves.delete();
    this.#turns.delete();
  }
}
