import type { DoubleBuffer, MjData, MjModel } from "@mujoco/mujoco";
import { type Contact, contactReader } from "./contact-layout.js";
import type { Mujoco } from "./mujoco.js";
import type { Scratch } from "./scratch.js";
import { SleepTracker } from "./sleep-tracker.js";

/** 1 for each geom that is in the set, else 0. */
export type GeomSet = Uint8Array;

/** A contact of a set of geoms with another geom. */
export interface Touch {
  /** Index of the other geom. */
  readonly geom: number;
  /** Vertical component of the unit normal towards the set: 1 where the set stands on the other. */
  readonly up: number;
}

interface SleepingContact extends Contact {
  readonly vertical: number;
}

/**
 * Contacts, read once per step. As always in MuJoCo, they are those of the start of the last physics step.
 *
 * MuJoCo drops the contacts of sleeping bodies, although a sleeping cup still stands on its table. They are
 * recomputed with scratch data whenever the set of sleeping bodies changes.
 */
export class Contacts {
  readonly #mujoco: Mujoco;
  readonly #model: MjModel;
  readonly #data: MjData;
  readonly #scratch: () => Scratch;
  readonly #force: DoubleBuffer;
  readonly #entries: (data: MjData) => readonly Contact[];
  #awake: readonly Contact[] | undefined;
  #asleep: readonly SleepingContact[] = [];
  readonly #sleep: SleepTracker;
  readonly #isElliptic: boolean;

  constructor(mujoco: Mujoco, model: MjModel, data: MjData, scratch: () => Scratch) {
    this.#mujoco = mujoco;
    this.#model = model;
    this.#data = data;
    this.#scratch = scratch;
    this.#force = new mujoco.DoubleBuffer(6);
    this.#entries = readerOf(mujoco);
    this.#sleep = new SleepTracker(model, data);
    this.#isElliptic = model.opt.cone === mujoco.mjtCone.mjCONE_ELLIPTIC.value;
  }

  /** Discards the cached contacts, after a step. */
  invalidate(): void {
    this.#awake = undefined;
  }

  /** Sum of the normal forces between two sets of geoms, in newtons. */
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

  /** The contacts of a set of geoms with all others. */
  touchesOf(set: GeomSet): readonly Touch[] {
    this.#read();
    const awake = (this.#awake ?? []).filter((contact) => leaves(contact, set));
    return [
      ...awake.map((contact) => touchOf(contact, set, verticalOf(this.#data, contact))),
      ...this.#asleep
        .filter((contact) => leaves(contact, set))
        .map((contact) => touchOf(contact, set, contact.vertical)),
    ];
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
    if (!this.#sleep.changed()) return;
    this.#asleep = this.#sleep.any ? this.#sleepingContacts() : [];
  }

  #sleepingContacts(): readonly SleepingContact[] {
    const { data } = this.#scratch();
    this.#scratch().forwardAtRest(this.#data);
    const bodies: Int32Array = this.#model.geom_bodyid;
    const still = (geom: number) => this.#sleep.isStill(bodies[geom] as number);
    return this.#entries(data)
      .filter(({ geom1, geom2 }) => still(geom1) && still(geom2))
      .map((contact) => ({
        ...contact,
        normalN: this.#normalForce(data, contact),
        vertical: verticalOf(data, contact),
      }));
  }

  #normalForce(data: MjData, { index, row }: Contact): number {
    // The first row of an elliptic cone is the normal force; `mj_contactForce` takes ten times as long.
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

/** Contacts of flexible bodies have geom -1, which is in no set. */
function joins({ geom1, geom2, row }: Contact, a: GeomSet, b: GeomSet): boolean {
  if (row < 0) return false;
  return (a[geom1] === 1 && b[geom2] === 1) || (a[geom2] === 1 && b[geom1] === 1);
}

function leaves({ geom1, geom2, row }: Contact, set: GeomSet): boolean {
  return row >= 0 && geom1 >= 0 && geom2 >= 0 && set[geom1] !== set[geom2];
}

/** @param vertical of the normal, which points from the first geom to the second */
function touchOf({ geom1, geom2 }: Contact, set: GeomSet, vertical: number): Touch {
  return set[geom2] === 1 ? { geom: geom1, up: vertical } : { geom: geom2, up: -vertical };
}

/** Vertical component of a contact's normal. Through the binding, which is slow, so only for contacts of interest. */
function verticalOf(data: MjData, { index }: Contact): number {
  const list = data.contact;
  const contact = list.get(index);
  const vertical: number = contact?.frame[2] ?? 0;
  contact?.delete();
  list.delete();
  return vertical;
}
