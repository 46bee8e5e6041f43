import type { DoubleBuffer, MjData, MjModel } from "@mujoco/mujoco";
import { cachedView } from "./arrays.js";
import type { Mujoco } from "./mujoco.js";

/** Computes site Jacobians of a model in reused buffers. The owner calls `dispose`. */
export class SiteJacobian {
  readonly #mujoco: Mujoco;
  readonly #model: MjModel;
  readonly #moves: DoubleBuffer;
  readonly #turns: DoubleBuffer;
  readonly #movesView: () => Float64Array;
  readonly #turnsView: () => Float64Array;
  /** Number of MuJoCo's degrees of freedom. */
  readonly #width: number;

  constructor(mujoco: Mujoco, model: MjModel) {
    this.#mujoco = mujoco;
    this.#model = model;
    this.#width = model.nv;
    this.#moves = new mujoco.DoubleBuffer(3 * this.#width);
    this.#turns = new mujoco.DoubleBuffer(3 * this.#width);
    this.#movesView = cachedView<Float64Array>(() => this.#moves.GetView());
    this.#turnsView = cachedView<Float64Array>(() => this.#turns.GetView());
  }

  /**
   * Derivatives of the site's position and rotation in world axes (6 rows) by MuJoCo's degrees of freedom `columns`.
   * Kinematics and centres of mass must be up to date.
   */
  read(
    data: MjData,
    site: number,
    columns: readonly number[],
    out: Float64Array = new Float64Array(6 * columns.length),
  ): Float64Array {
    this.#mujoco.mj_jacSite(this.#model, data, this.#moves, this.#turns, site);
    this.#pick(this.#movesView(), columns, out, 0);
    this.#pick(this.#turnsView(), columns, out, 3 * columns.length);
    return out;
  }

  #pick(from: Float64Array, columns: readonly number[], out: Float64Array, start: number): void {
    let at = start;
    for (let row = 0; row < 3; row++) {
      for (let i = 0; i < columns.length; i++) {
        out[at++] = from[row * this.#width + (columns[i] as number)] as number;
      }
    }
  }

  dispose(): void {
    this.#moves.delete();
    this.#turns.delete();
  }
}
