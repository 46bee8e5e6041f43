import type { MjData, MjModel } from "@mujoco/mujoco";
import type { Pose3 } from "../../../core/interfaces/manipulation-view.js";
import { SiteJacobian } from "./jacobian.js";
import type { Mujoco } from "./mujoco.js";
import type { Names } from "./names.js";
import { sitePose, type Views, viewsOf } from "./views.js";

/**
 * A second `MjData` of the same model for what-if computations, without effect on the simulation.
 */
export class Scratch {
  readonly #mujoco: Mujoco;
  readonly #model: MjModel;
  readonly #names: Names;
  readonly #jacobian: SiteJacobian;
  readonly #views: Views;
  readonly data: MjData;

  constructor(mujoco: Mujoco, model: MjModel, names: Names) {
    this.#mujoco = mujoco;
    this.#model = model;
    this.#names = names;
    this.data = new mujoco.MjData(model);
    this.#jacobian = new SiteJacobian(model, this.data);
    this.#views = viewsOf(model, this.data);
  }

  /** Copies the simulation's positions and resets the rest, so that results do not depend on earlier use. */
  copy(from: MjData): void {
    this.#mujoco.mj_resetData(this.#model, this.data);
    this.data.qpos.set(from.qpos);
  }

  /** Computes contacts and forces at these positions, with zero velocities and nothing asleep. */
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

  /** Length of an actuator's joint (times its gear) or tendon, after `setJoints`. */
  actuatorLength(name: string): number {
    this.#mujoco.mj_tendon(this.#model, this.data);
    this.#mujoco.mj_transmission(this.#model, this.data);
    return this.data.actuator_length[this.#names.id("actuator", name)];
  }

  site(name: string): Pose3 {
    return sitePose(this.#views, this.#names.id("site", name));
  }

  /** See `Physics.jacobian`. */
  jacobian(site: string, joints: readonly string[]): Float64Array {
    const addresses = this.#views.velocityAddresses();
    const columns = joints.map((joint) => addresses[this.#names.id("joint", joint)] as number);
    return this.#jacobian.read(this.#names.id("site", site), columns);
  }

  dispose(): void {
    this.data.delete();
  }
}
