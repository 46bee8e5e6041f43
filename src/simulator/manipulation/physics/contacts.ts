import type { DoubleBuffer, MjData, MjModel } from "@mujoco/mujoco";
import { type Contact, contactReader } from "./contact-layout.js";
import type { Mujoco } from "./mujoco.js";
import type { Scratch } from "./scratch.js";
import { Sleepers } from "./sleepers.js";

/** 1 for each geom of a group. */
export type GeomSet = Uint8Array;

/**
 * What touches what, read once after a step and kept until the next. They are those
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
  readonly #entries: (data: MjData) => readonly Contact[];
  #awake: readonly Contact[] | undefined;
  #asleep: readonly Contact[] = [];
  readonly #sleepers: Sleepers;
  readonly #isElliptic: boolean;

  constructor(mujoco: Mujoco, model: MjModel, data: MjData, scratch: () => Scratch) {
    this.#mujoco = mujoco;
    this.#model = model;
    this.#data = data;
    this.#scratch = scratch;
    this.#force = new mujoco.DoubleBuffer(6);
    this.#entries = readerOf(mujoco);
    this.#sleepers = new Sleepers(model, data);
    this.#isElliptic = model.opt.cone === mujoco.mjtCone.mjCONE_ELLIPTIC.value;
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
      contact.normalN ??= this.#normalForce(this.#data, contact);
      sum += contact.normalN;
    }
    for (const contact of this.#asleep) if (joins(contact, a, b)) sum += contact.normalN ?? 0;
    return sum;
  }

  touching(a: GeomSet, b: GeomSet): boolean {
    this.#read();
    for (const contact of this.#awake ?? []) if (joins(contact, a, b)) return true;
    for (const contact of this.#asleep) if (joins(contact, a, b)) return true;
    return false;
  }

  dispose(): void {
    this.#force.delete();
  }

  #read(): void {
    if (this.#awake) return;
    this.#awake = this.#entries(this.#data);
    if (!this.#sleepers.changed()) return;
    this.#asleep = this.#sleepers.any ? this.#sleepingContacts() : [];
  }

  #sleepingContacts(): readonly Contact[] {
    const { data } = this.#scratch();
    this.#scratch().forwardAtRest(this.#data);
    const bodies: Int32Array = this.#model.geom_bodyid;
    const still = (geom: number) => this.#sleepers.isStill(bodies[geom] as number);
    return this.#entries(data)
      .filter(({ geom1, geom2 }) => still(geom1) && still(geom2))
      .map((contact) => ({ ...contact, normalN: this.#normalForce(data, contact) }));
  }

  #normalForce(data: MjData, { index, row }: Contact): number {
    // An elliptic cone's first row is the normal's; asking for it takes ten times as long.
    if (this.#isElliptic) return (data.efc_force as Float64Array)[row] as number;
    this.#mujoco.mj_contactForce(this.#model, data, index, this.#force);
    const force: Float64Array = this.#force.GetView();
    return force[0] as number;
  }
}

const readers = new WeakMap<Mujoco, ReturnType<typeof contactReader>>();

function readerOf(mujoco: Mujoco): ReturnType<typeof contactReader> {
  const reader = readers.get(mujoco) ?? contactReader(mujoco);
  readers.set(mujoco, reader);
  return reader;
}

/** A contact of a flexible body has a geom of -1, which no set holds. */
function joins({ geom1, geom2, row }: Contact, a: GeomSet, b: GeomSet): boolean {
  if (row < 0) return false;
  return (a[geom1] === 1 && b[geom2] === 1) || (a[geom2] === 1 && b[geom1] === 1);
}
