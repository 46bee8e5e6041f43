import type { MjData } from "@mujoco/mujoco";
import type { Mujoco } from "./mujoco.js";

/** Two geoms that touch. */
export interface Contact {
  /** In MuJoCo's list. */
  readonly index: number;
  readonly geom1: number;
  readonly geom2: number;
  /** Its first row of constraints; below 0 for what lies beyond the gap, where nothing presses. */
  readonly row: number;
  /** Newtons along the normal, once they were asked for. */
  normalN: number | undefined;
}

/** Where a contact's numbers lie at the beginning of MuJoCo's arena, counted in words of 4 bytes. */
interface ContactLayout {
  readonly stride: number;
  readonly geoms: number;
  readonly row: number;
}

/**
 * Reads contacts. The binding hands out a copy of each, 40 us for 24 of them; straight from the arena it is
 * below 1 us. How a contact lies there is not promised, so it is learned once from a model whose contacts are
 * known, and where that fails the slow way serves.
 */
export function contactReader(mujoco: Mujoco): (data: MjData) => readonly Contact[] {
  const layout = learnLayout(mujoco);
  return layout ? (data) => readArena(data, layout) : readBinding;
}

/** The binding's own way. `contact` is a copy, unlike other members of MjData, and so is each of it. */
export function readBinding(data: MjData): readonly Contact[] {
  const list = data.contact;
  const out: Contact[] = [];
  for (let index = 0; index < list.size(); index++) {
    const contact = list.get(index);
    if (!contact) continue;
    const { geom1, geom2, efc_address: row } = contact;
    out.push({ index, geom1, geom2, row, normalN: undefined });
    contact.delete();
  }
  list.delete();
  return out;
}

function readArena(data: MjData, { stride, geoms, row }: ContactLayout): readonly Contact[] {
  const count = data.ncon;
  const words = wordsOf(data, count * stride);
  const out: Contact[] = [];
  for (let index = 0, at = 0; index < count; index++, at += stride) {
    out.push({
      index,
      geom1: words[at + geoms] as number,
      geom2: words[at + geoms + 1] as number,
      row: words[at + row] as number,
      normalN: undefined,
    });
  }
  return out;
}

function wordsOf(data: MjData, count?: number): Int32Array {
  const arena: Uint8Array = data.arena;
  return new Int32Array(arena.buffer, arena.byteOffset, count ?? arena.length >> 2);
}

/** Spheres in pairs, each pair touching more deeply and with more friction than the one before. */
function probe(): string {
  const spheres = [1, 3, 4, 6, 1, 3].flatMap((condim, pair) =>
    [0, 0.19 - 0.01 * pair].map(
      (x) => `<body pos="${x} ${pair} 0"><freejoint/><geom size="0.1" condim="${condim}"/></body>`,
    ),
  );
  return `<mujoco><size memory="256K"/><worldbody>${spheres.join("")}</worldbody></mujoco>`;
}

function learnLayout(mujoco: Mujoco): ContactLayout | undefined {
  const model = mujoco.MjModel.from_xml_string(probe());
  const data = new mujoco.MjData(model);
  try {
    mujoco.mj_forward(model, data);
    return layoutOf(wordsOf(data), readBinding(data));
  } finally {
    data.delete();
    model.delete();
  }
}

function layoutOf(words: Int32Array, known: readonly Contact[]): ContactLayout | undefined {
  if (known.length < 5) return undefined;
  const fits = (at: number, stride: number, value: (contact: Contact) => number) =>
    known.every((contact, k) => words[at + k * stride] === value(contact));
  for (let stride = 8; stride * known.length < words.length; stride++) {
    const offsets = Array.from({ length: stride }, (_, at) => at);
    const geoms = offsets.find(
      (at) => fits(at, stride, ({ geom1 }) => geom1) && fits(at + 1, stride, ({ geom2 }) => geom2),
    );
    const row = offsets.find((at) => fits(at, stride, (contact) => contact.row));
    if (geoms !== undefined && row !== undefined) return { stride, geoms, row };
  }
  return undefined;
}
