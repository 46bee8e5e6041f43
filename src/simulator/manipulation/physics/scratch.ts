import type { MjData, MjModel } from "@mujoco/mujoco";
import type { Pose3 } from "../../../core/interfaces/manipulation-view.js";
import { quatOfMatrixAt, vec3At } from "./arrays.js";
import type { SiteJacobian } from "./jacobian.js";
import type { Mujoco } from "./mujoco.js";
import type { Names } from "./names.js";
import { type Views, viewsOf } from "./views.js";

/**
 * The same model with other data, to ask what would be where: nothing done here reaches the simulation.
 * Objects stand as they stood when it was asked for.
 */
export class Scratch {
  readonly #mujoco: Mujoco;
  readonly #model: MjModel;
  readonly #names: Names;
  readonly #jacobian: SiteJacobian;
  readonly #views: Views;
  readonly data: MjData;

  constructor(mujoco: Mujoco, model: MjModel, names: Names, jacobian: SiteJacobian) {
    this.#mujoco = mujoco;
    this.#model = model;
    this.#names = names;
    this.#jacobian = jacobian;
    this.data = new mujoco.MjData(model);
    this.#views = viewsOf(model, this.data);
  }

  /** To the positions of the simulation. The rest starts from zero, so that answers depend on nothing older. */
  copy(from: MjData): void {
    this.#mujoco.mj_resetData(this.#model, this.data);
    this.data.qpos.set(from.qpos);
  }

  /** Contacts and forces at these positions, with everything at rest and nothing asleep. */
  forwardAtRest(from: MjData): void {
    this.copy(from);
    this.data.ctrl.set(from.ctrl);
    this.data.act.set(from.act);
    this.#mujoco.mj_forward(this.#model, this.data);
  }

  setJoints(joints: readonly string[], values: readonly number[]): void {
    const qpos = this.#views.qpos();
    const addresses = this.#views.positionAddresses();
    for (const [i, joint] of joints.entries()) {
      qpos[addresses[this.#names.id("joint", joint)] as number] = values[i] as number;
    }
    this.#mujoco.mj_kinematics(this.#model, this.data);
    this.#mujoco.mj_comPos(this.#model, this.data);
  }

  site(name: string): Pose3 {
    const id = this.#names.id("site", name);
    return {
      position: vec3At(this.#views.sitePositions(), id),
      rotation_wxyz: quatOfMatrixAt(this.#views.siteMatrices(), id),
    };
  }

  /** As `Physics.jacobian`. */
  jacobian(site: string, joints: readonly string[]): Float64Array {
    const addresses = this.#views.velocityAddresses();
    const columns = joints.map((joint) => addresses[this.#names.id("joint", joint)] as number);
    return this.#jacobian.read(this.data, this.#names.id("site", site), columns);
  }

  dispose(): void {
    this.data.delete();
  }
}
