import type { MjData, MjModel } from "@mujoco/mujoco";
import type { Mujoco } from "./mujoco.js";

/**
 * What MuJoCo derives from positions and velocities, brought up to date when it is asked for: a step leaves all
 * of it one physics step behind. None of it is read by the next step, so asking changes nothing.
 */
export class Derived {
  readonly #mujoco: Mujoco;
  readonly #model: MjModel;
  readonly #data: MjData;
  #places = false;
  #centres = false;
  #cameras = false;
  #velocities = false;

  constructor(mujoco: Mujoco, model: MjModel, data: MjData) {
    this.#mujoco = mujoco;
    this.#model = model;
    this.#data = data;
  }

  outdate(): void {
    this.#mark(false);
  }

  /** After `mj_forward`, which derives everything. */
  allFresh(): void {
    this.#mark(true);
  }

  /** Poses of bodies, geoms and sites, axes of joints. */
  places(): void {
    if (!this.#places) this.#mujoco.mj_kinematics(this.#model, this.#data);
    this.#places = true;
  }

  /** Centres of mass, which Jacobians and what follows need. */
  centres(): void {
    this.places();
    if (!this.#centres) this.#mujoco.mj_comPos(this.#model, this.#data);
    this.#centres = true;
  }

  cameras(): void {
    this.centres();
    if (!this.#cameras) this.#mujoco.mj_camlight(this.#model, this.#data);
    this.#cameras = true;
  }

  velocities(): void {
    this.centres();
    if (!this.#velocities) this.#mujoco.mj_comVel(this.#model, this.#data);
    this.#velocities = true;
  }

  #mark(fresh: boolean): void {
    this.#places = fresh;
    this.#centres = fresh;
    this.#cameras = fresh;
    this.#velocities = fresh;
  }
}
