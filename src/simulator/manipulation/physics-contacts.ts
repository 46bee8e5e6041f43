import type { DoubleBuffer, MjData, MjModel } from "@mujoco/mujoco";
import type { Mujoco } from "./mujoco.js";
import { quatAt, vec3At } from "./physics-arrays.js";
import type { Scratch } from "./physics-scratch.js";

/** Two geoms that touch. */
interface Contact {
  /** In MuJoCo's list. */
  readonly index: number;
  readonly geom1: number;
  readonly geom2: number;
  /** Newtons along the normal, worked out when first asked for. */
  normalN: number | undefined;
}

/** 1 for each geom of a group. */
export type GeomSet = Uint8Array;

/**
 * What touches what, read once after a step and kept until the next (24 contacts take 60 us). They are those
 * of the beginning of the last physics step, as MuJoCo has them.
 *
 * MuJoCo drops the contacts of what it put to sleep. A cup asleep on a table still stands on it, so those are
 * worked out again beside the simulation, whenever something else is asleep than before.
 */
export class Contacts {
  readonly #mujoco: Mujoco;
  readonly #model: MjModel;
  readonly #data: MjData;
  readonly #scratch: () => Scratch;
  readonly #force: DoubleBuffer;
  #awake: readonly Contact[] | undefined;
  #asleep: readonly Contact[] = [];
  /** Which bodies sleep, and where. */
  #sleepers: readonly number[] = [];

  constructor(mujoco: Mujoco, model: MjModel, data: MjData, scratch: () => Scratch) {
    this.#mujoco = mujoco;
    this.#model = model;
    this.#data = data;
    this.#scratch = scratch;
    this.#force = new mujoco.DoubleBuffer(6);
  }

  forget(): void {
    this.#awake = undefined;
  }

  /** Sum of the normal forces between two groups, newtons. */
  pressure(a: GeomSet, b: GeomSet): number {
    this.#read();
    let sum = 0;
    for (const contact of this.#awake ?? []) {
      if (!joins(contact, a, b)) continue;
      contact.normalN ??= this.#normalForce(this.#data, contact.index);
      sum += contact.normalN;
    }
    for (const contact of this.#asleep) if (joins(contact, a, b)) sum += contact.normalN ?? 0;
    return sum;
  }

  touching(a: GeomSet, b: GeomSet): boolean {
    this.#read();
    const both = (contact: Contact) => joins(contact, a, b);
    return (this.#awake ?? []).some(both) || this.#asleep.some(both);
  }

  dispose(): void {
    this.#force.delete();
  }

  #read(): void {
    if (this.#awake) return;
    this.#awake = contactsOf(this.#data);
    const sleepers = this.#sleepersNow();
    if (same(sleepers, this.#sleepers)) return;
    this.#sleepers = sleepers;
    this.#asleep = sleepers.length === 0 ? [] : this.#sleepingContacts();
  }

  #sleepersNow(): readonly number[] {
    if (this.#data.ntree_awake === this.#model.ntree) return [];
    const trees: Int32Array = this.#data.tree_asleep;
    const treeOf: Int32Array = this.#model.body_treeid;
    const positions: Float64Array = this.#data.xpos;
    const rotations: Float64Array = this.#data.xquat;
    const out: number[] = [];
    for (const [body, tree] of treeOf.entries()) {
      if (tree < 0 || (trees[tree] as number) < 0) continue;
      out.push(body, ...vec3At(positions, body), ...quatAt(rotations, body));
    }
    return out;
  }

  #sleepingContacts(): readonly Contact[] {
    const { data } = this.#scratch();
    this.#scratch().forwardAtRest(this.#data);
    const trees: Int32Array = this.#data.tree_asleep;
    const bodies: Int32Array = this.#model.geom_bodyid;
    const treeOf: Int32Array = this.#model.body_treeid;
    const still = (geom: number) => {
      const tree = treeOf[bodies[geom] as number] as number;
      return tree < 0 || (trees[tree] as number) >= 0;
    };
    return contactsOf(data)
      .filter(({ geom1, geom2 }) => still(geom1) && still(geom2))
      .map((contact) => ({ ...contact, normalN: this.#normalForce(data, contact.index) }));
  }

  #normalForce(data: MjData, index: number): number {
    this.#mujoco.mj_contactForce(this.#model, data, index, this.#force);
    const force: Float64Array = this.#force.GetView();
    return force[0] as number;
  }
}

/** Unlike other members of MjData, `contact` is a copy, and every one taken from it another: all are deleted. */
function contactsOf(data: MjData): readonly Contact[] {
  if (data.ncon === 0) return [];
  const list = data.contact;
  const out: Contact[] = [];
  for (let i = 0; i < list.size(); i++) {
    const contact = list.get(i);
    if (!contact) continue;
    // What lies within the margin and beyond the gap is listed, but nothing presses there.
    if (contact.exclude === 0) {
      out.push({ index: i, geom1: contact.geom1, geom2: contact.geom2, normalN: undefined });
    }
    contact.delete();
  }
  list.delete();
  return out;
}

function same(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((x, i) => x === b[i]);
}

/** A contact of a flexible body has a geom of -1, which no set holds. */
function joins({ geom1, geom2 }: Contact, a: GeomSet, b: GeomSet): boolean {
  return (a[geom1] === 1 && b[geom2] === 1) || (a[geom2] === 1 && b[geom1] === 1);
}
