import type { MjData, MjModel } from "@mujoco/mujoco";
import type { Mujoco } from "./mujoco.js";

/**
 * Updates the quantities that MuJoCo derives from positions and velocities when they are read: after a step they are
 * one physics step old. The next step does not read them, so updating them does not change the simulation.
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

  /** Marks everything as outdated, or, after `mj_forward`, as up to date. */
  mark(isFresh: boolean): void {
    this.#places = isFresh;
    this.#centres = isFresh;
    this.#cameras = isFresh;
    this.#velocities = isFresh;
  }

  /** Poses of bodies, geoms and sites, and axes of joints. */
  places(): void {
    if (!this.#places) this.#mujoco.mj_kinematics(this.#model, this.#data);
    this.#places = true;
  }

  /** Centres of mass, which Jacobians, cameras and velocities need. */
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
}
