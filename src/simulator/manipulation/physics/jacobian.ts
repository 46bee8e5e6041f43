import type { MjData, MjModel } from "@mujoco/mujoco";
import type { Vec3 } from "../../../core/math/vec3.js";
import { cachedView, vec3At } from "./arrays.js";

/** How a site moves with the joints above it. */
interface Chain {
  /** Index of the topmost body, at whose centre of mass MuJoCo expresses the axes of the joints. */
  readonly root: number;
  /** 1 for each degree of freedom that moves the site, else 0. */
  readonly moves: Uint8Array;
}

/**
 * Computes Jacobians of sites from the arrays of MuJoCo, as `mj_jacSite` does and with the same bits: calls into WASM
 * with buffers take 3 us, and controllers of arms need one at every physics step.
 */
export class SiteJacobian {
  readonly #model: MjModel;
  readonly #axes: () => Float64Array;
  readonly #centres: () => Float64Array;
  readonly #sites: () => Float64Array;
  readonly #chains = new Map<number, Chain>();
  /** All of MuJoCo's degrees of freedom. */
  readonly #all: readonly number[];

  constructor(model: MjModel, data: MjData) {
    this.#model = model;
    this.#all = Array.from({ length: model.nv }, (_, dof) => dof);
    this.#axes = cachedView<Float64Array>(() => data.cdof);
    this.#centres = cachedView<Float64Array>(() => data.subtree_com);
    this.#sites = cachedView<Float64Array>(() => data.site_xpos);
  }

  /**
   * Derivatives of the site's position and rotation in world axes (6 rows) by MuJoCo's degrees of freedom `columns`.
   * Kinematics and centres of mass must be up to date.
   */
  read(
    site: number,
    columns: readonly number[],
    out: Float64Array = new Float64Array(6 * columns.length),
  ): Float64Array {
    const { root, moves } = this.#chain(site);
    const [axes, centres, sites] = [this.#axes(), this.#centres(), this.#sites()];
    const x = (sites[3 * site] as number) - (centres[3 * root] as number);
    const y = (sites[3 * site + 1] as number) - (centres[3 * root + 1] as number);
    const z = (sites[3 * site + 2] as number) - (centres[3 * root + 2] as number);
    const n = columns.length;
    for (let i = 0; i < n; i++) {
      const dof = columns[i] as number;
      if (moves[dof] === 0) {
        for (let row = 0; row < 6; row++) out[row * n + i] = 0;
        continue;
      }
      const at = 6 * dof;
      const rx = axes[at] as number;
      const ry = axes[at + 1] as number;
      const rz = axes[at + 2] as number;
      out[i] = (axes[at + 3] as number) + (ry * z - rz * y);
      out[n + i] = (axes[at + 4] as number) + (rz * x - rx * z);
      out[2 * n + i] = (axes[at + 5] as number) + (rx * y - ry * x);
      out[3 * n + i] = rx;
      out[4 * n + i] = ry;
      out[5 * n + i] = rz;
    }
    return out;
  }

  /** Velocity of the site in world axes, from the velocities of all of MuJoCo's degrees of freedom. */
  velocity(site: number, qvel: Float64Array): { readonly linear: Vec3; readonly angular: Vec3 } {
    const velocity = new Float64Array(6);
    const jacobian = this.read(site, this.#all);
    const width = this.#all.length;
    for (let row = 0; row < 6; row++) {
      let sum = 0;
      for (let i = 0; i < width; i++) {
        sum += (jacobian[row * width + i] as number) * (qvel[i] as number);
      }
      velocity[row] = sum;
    }
    return { linear: vec3At(velocity, 0), angular: vec3At(velocity, 1) };
  }

  #chain(site: number): Chain {
    const known = this.#chains.get(site);
    if (known) return known;
    const { site_bodyid, body_parentid, body_rootid, body_dofnum, body_dofadr } = this.#model;
    const moves = new Uint8Array(this.#model.nv);
    const body: number = site_bodyid[site];
    for (let at = body; at > 0; at = body_parentid[at]) {
      moves.fill(1, body_dofadr[at], body_dofadr[at] + body_dofnum[at]);
    }
    const chain = { root: body_rootid[body], moves };
    this.#chains.set(site, chain);
    return chain;
  }
}
