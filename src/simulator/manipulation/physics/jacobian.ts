import type { DoubleBuffer, MjData, MjModel } from "@mujoco/mujoco";
import type { Vec3 } from "../../../core/math/vec3.js";
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

  /** Velocity of the site in world axes, from the velocities of all of MuJoCo's degrees of freedom. */
  velocity(
    data: MjData,
    site: number,
    qvel: Float64Array,
  ): { readonly linear: Vec3; readonly angular: Vec3 } {
    this.#mujoco.mj_jacSite(this.#model, data, this.#moves, this.#turns, site);
    return {
      linear: this.#times(this.#moves.GetView(), qvel),
      angular: this.#times(this.#turns.GetView(), qvel),
    };
  }

  #times(rows: Float64Array, qvel: Float64Array): Vec3 {
    const product: [number, number, number] = [0, 0, 0];
    for (let row = 0; row < 3; row++) {
      let sum = 0;
      for (let i = 0; i < this.#width; i++) {
        sum += (rows[row * this.#width + i] as number) * (qvel[i] as number);
      }
      product[row] = sum;
    }
    return product;
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
