import type { MjData, MjModel } from "@mujoco/mujoco";
import { lasting } from "./arrays.js";

/** Which bodies are asleep, and where: what they touch changes with that and with nothing else. */
export class Sleepers {
  readonly #model: MjModel;
  readonly #data: MjData;
  readonly #treeOf: () => Int32Array;
  readonly #asleep: () => Int32Array;
  readonly #positions: () => Float64Array;
  readonly #rotations: () => Float64Array;
  /** 1 for each body that slept when last asked, and where it lay. */
  readonly #slept: Uint8Array;
  readonly #layAt: Float64Array;
  readonly #layTurned: Float64Array;

  constructor(model: MjModel, data: MjData) {
    this.#model = model;
    this.#data = data;
    this.#treeOf = lasting<Int32Array>(() => model.body_treeid);
    this.#asleep = lasting<Int32Array>(() => data.tree_asleep);
    this.#positions = lasting<Float64Array>(() => data.xpos);
    this.#rotations = lasting<Float64Array>(() => data.xquat);
    this.#slept = new Uint8Array(model.nbody);
    this.#layAt = new Float64Array(3 * model.nbody);
    this.#layTurned = new Float64Array(4 * model.nbody);
  }

  get any(): boolean {
    return this.#data.ntree_awake < this.#model.ntree;
  }

  /** Asleep, or fixed to the world. */
  isStill(body: number): boolean {
    const tree = this.#treeOf()[body] as number;
    return tree < 0 || this.#sleeps(tree);
  }

  /** Since it was last asked. */
  changed(): boolean {
    const trees = this.#treeOf();
    let different = false;
    for (let body = 0; body < trees.length; body++) {
      const tree = trees[body] as number;
      const sleeps = tree >= 0 && this.#sleeps(tree) ? 1 : 0;
      if (sleeps !== this.#slept[body]) different = true;
      this.#slept[body] = sleeps;
      if (!sleeps) continue;
      if (moved(this.#positions(), this.#layAt, 3 * body, 3)) different = true;
      if (moved(this.#rotations(), this.#layTurned, 4 * body, 4)) different = true;
    }
    return different;
  }

  /** MuJoCo links sleeping trees in rings: the next one's number, or below 0 for one that is awake. */
  #sleeps(tree: number): boolean {
    return (this.#asleep()[tree] as number) >= 0;
  }
}

/** Compares and keeps. */
function moved(now: Float64Array, before: Float64Array, start: number, count: number): boolean {
  let different = false;
  for (let i = start; i < start + count; i++) {
    if (now[i] !== before[i]) different = true;
    before[i] = now[i] as number;
  }
  return different;
}
