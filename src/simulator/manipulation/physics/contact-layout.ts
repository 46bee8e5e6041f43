import type { MjData } from "@mujoco/mujoco";
import type { Mujoco } from "./mujoco.js";

/** A contact between two geoms. */
export interface Contact {
  /** Index in `MjData.contact`. */
  readonly index: number;
  readonly geom1: number;
  readonly geom2: number;
  /** Its first constraint row; negative if the contact is inactive (within the margin but without force). */
  readonly row: number;
  /** Normal force in newtons, once computed. */
  normalN: number | undefined;
}

/** Layout of the contacts at the start of MuJoCo's arena, in words of 4 bytes. */
interface ContactLayout {
  readonly stride: number;
  readonly geoms: number;
  readonly row: number;
}

/**
 * Returns a reader of contacts. The binding copies each contact, which takes 40 us for 24 of them; reading the arena
 * takes less than 1 us. The arena's layout is not documented, so it is inferred once from a model with known contacts;
 * if that fails, the binding is used.
 */
export function contactReader(mujoco: Mujoco): (data: MjData) => readonly Contact[] {
  const layout = inferLayout(mujoco);
  return layout ? (data) => readArena(data, layout) : readBinding;
}

/** Reads contacts through the binding. `MjData.contact` and its elements are copies, which must be deleted. */
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
  const words = arenaWords(data, count * stride);
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

function arenaWords(data: MjData, count?: number): Int32Array {
  const arena: Uint8Array = data.arena;
  return new Int32Array(arena.buffer, arena.byteOffset, count ?? arena.length >> 2);
}

/** Pairs of touching spheres with increasing depth and different contact dimensions. */
function probe(): string {
  const spheres = [1, 3, 4, 6, 1, 3].flatMap((condim, pair) =>
    [0, 0.19 - 0.01 * pair].map(
      (x) => `<body pos="${x} ${pair} 0"><freejoint/><geom size="0.1" condim="${condim}"/></body>`,
    ),
  );
  return `<mujoco><size memory="256K"/><worldbody>${spheres.join("")}</worldbody></mujoco>`;
}

function inferLayout(mujoco: Mujoco): ContactLayout | undefined {
  const model = mujoco.MjModel.from_xml_string(probe());
  const data = new mujoco.MjData(model);
  try {
    mujoco.mj_forward(model, data);
    return layoutOf(arenaWords(data), readBinding(data));
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
