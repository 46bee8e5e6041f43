import type { MjData, MjModel } from "@mujoco/mujoco";
import { cachedView } from "./arrays.js";

/** Detects changes of the set of sleeping bodies and their poses, on which their contacts depend. */
export class SleepTracker {
  readonly #model: MjModel;
  readonly #data: MjData;
  readonly #treeOf: () => Int32Array;
  readonly #asleep: () => Int32Array;
  readonly #positions: () => Float64Array;
  readonly #rotations: () => Float64Array;
  /** 1 for each body that slept at the last call of `changed`. */
  readonly #slept: Uint8Array;
  /** Poses of all bodies at that call. */
  readonly #lastPositions: Float64Array;
  readonly #lastRotations: Float64Array;

  constructor(model: MjModel, data: MjData) {
    this.#model = model;
    this.#data = data;
    this.#treeOf = cachedView<Int32Array>(() => model.body_treeid);
    this.#asleep = cachedView<Int32Array>(() => data.tree_asleep);
    this.#positions = cachedView<Float64Array>(() => data.xpos);
    this.#rotations = cachedView<Float64Array>(() => data.xquat);
    this.#slept = new Uint8Array(model.nbody);
    this.#lastPositions = new Float64Array(3 * model.nbody);
    this.#lastRotations = new Float64Array(4 * model.nbody);
  }

  get any(): boolean {
    return this.#data.ntree_awake < this.#model.ntree;
  }

  /** Whether the body is asleep or fixed to the world. */
  isStill(body: number): boolean {
    const tree = this.#treeOf()[body] as number;
    return tree < 0 || this.#sleeps(tree);
  }

  /** Whether anything changed since the last call. */
  changed(): boolean {
    const trees = this.#treeOf();
    let different = false;
    for (let body = 0; body < trees.length; body++) {
      const tree = trees[body] as number;
      const sleeps = tree >= 0 && this.#sleeps(tree) ? 1 : 0;
      if (sleeps !== this.#slept[body]) different = true;
      this.#slept[body] = sleeps;
      if (!sleeps) continue;
      if (update(this.#positions(), this.#lastPositions, 3 * body, 3)) different = true;
      if (update(this.#rotations(), this.#lastRotations, 4 * body, 4)) different = true;
    }
    return different;
  }

  /** MuJoCo links sleeping trees in cycles by the index of the next tree; awake trees have a negative value. */
  #sleeps(tree: number): boolean {
    return (this.#asleep()[tree] as number) >= 0;
  }
}

/** Compares with the last values and replaces them. */
function update(now: Float64Array, before: Float64Array, start: number, count: number): boolean {
  let different = false;
  for (let i = start; i < start + count; i++) {
    if (now[i] !== before[i]) different = true;
    before[i] = now[i] as number;
  }
  return different;
}
