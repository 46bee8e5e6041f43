import { DataError } from "../../../core/errors.js";
import { pickAt, sumAt } from "./arrays.js";
import type { Mujoco } from "./mujoco.js";
import type { Names } from "./names.js";
import type { Views } from "./views.js";

/** Indices of joints in `qpos` and `qvel`. */
interface Addresses {
  readonly positions: readonly number[];
  readonly velocities: readonly number[];
}

/** Slide joints (metres) and hinge joints (radians), which have one position each. */
export class ScalarJoints {
  readonly #mujoco: Mujoco;
  readonly #names: Names;
  readonly #views: Views;
  readonly #lists = new WeakMap<readonly string[], Addresses>();
  /** The list that was used last: controllers pass the same one several times in a row. */
  #last: readonly string[] | undefined;
  #lastAddresses: Addresses = { positions: [], velocities: [] };

  constructor(mujoco: Mujoco, names: Names, views: Views) {
    this.#mujoco = mujoco;
    this.#names = names;
    this.#views = views;
  }

  /** MuJoCo's index of the joint. */
  id(name: string): number {
    const id = this.#names.id("joint", name);
    const type = this.#views.jointTypes()[id];
    const { mjJNT_HINGE, mjJNT_SLIDE } = this.#mujoco.mjtJoint;
    if (type === mjJNT_HINGE.value || type === mjJNT_SLIDE.value) return id;
    throw new DataError(
      "not_scalar",
      `joint "${name}" is a ball or free joint; only slide and hinge joints have a single position`,
    );
  }

  position(name: string): number {
    return this.#views.qpos()[this.positionAddress(name)] as number;
  }

  velocity(name: string): number {
    return this.#views.qvel()[this.velocityAddress(name)] as number;
  }

  positionAddress(name: string): number {
    return this.#views.positionAddresses()[this.id(name)] as number;
  }

  velocityAddress(name: string): number {
    return this.#views.velocityAddresses()[this.id(name)] as number;
  }

  positionSum(joints: readonly string[]): number {
    return sumAt(this.#views.qpos(), this.#addresses(joints).positions);
  }

  /** Indices in `qvel`. */
  velocityAddresses(joints: readonly string[]): readonly number[] {
    return this.#addresses(joints).velocities;
  }

  velocitySum(joints: readonly string[]): number {
    return sumAt(this.#views.qvel(), this.#addresses(joints).velocities);
  }

  /** Writes the positions of joints into `out`. */
  readPositions(joints: readonly string[], out: Float64Array): void {
    pickAt(this.#views.qpos(), this.#addresses(joints).positions, out);
  }

  /** Writes values of joints in one of MuJoCo's arrays by degree of freedom into `out`. */
  readDofs(joints: readonly string[], array: Float64Array, out: Float64Array): void {
    pickAt(array, this.#addresses(joints).velocities, out);
  }

  /** Cached by list, because a robot passes the same lists at every step. */
  #addresses(joints: readonly string[]): Addresses {
    if (joints === this.#last) return this.#lastAddresses;
    const found = this.#lists.get(joints) ?? {
      positions: joints.map((joint) => this.positionAddress(joint)),
      velocities: joints.map((joint) => this.velocityAddress(joint)),
    };
    this.#lists.set(joints, found);
    this.#last = joints;
    this.#lastAddresses = found;
    return found;
  }
}
