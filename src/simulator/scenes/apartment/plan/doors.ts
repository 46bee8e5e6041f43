import { KIND_RULES } from "./program.js";
import { ROOM_KINDS, type RoomKind } from "./types.js";

/** Penalty of a door between two kinds of room; lower is more realistic. */
const COST: Readonly<Record<string, number>> = {
  "corridor/corridor": 0.5,
  "corridor/living_room": 0.8,
  "corridor/kitchen": 1,
  "corridor/dining_room": 1.2,
  "corridor/bedroom": 1,
  "corridor/bathroom": 1,
  "corridor/office": 1,
  "corridor/laundry": 1,
  "corridor/storage": 1,
  "kitchen/living_room": 1.1,
  "dining_room/living_room": 0.9,
  "dining_room/kitchen": 0.9,
  "bedroom/living_room": 3,
  "living_room/office": 2,
  "bathroom/living_room": 4.5,
  "living_room/storage": 3,
  "laundry/living_room": 5,
  "dining_room/office": 2.5,
  "bedroom/dining_room": 4,
  "kitchen/laundry": 1.2,
  "kitchen/storage": 1.2,
  "bathroom/bedroom": 2,
  "bedroom/office": 3.5,
  "bathroom/laundry": 2.5,
};

const UNUSUAL = 7;
const BY_PAIR = new Map<RoomKind, Map<RoomKind, number>>();
for (const a of ROOM_KINDS) {
  const row = ROOM_KINDS.map(
    (b) => [b, COST[a < b ? `${a}/${b}` : `${b}/${a}`] ?? UNUSUAL] as const,
  );
  BY_PAIR.set(a, new Map(row));
}

export function doorCost(a: RoomKind, b: RoomKind): number {
  return BY_PAIR.get(a)?.get(b) ?? UNUSUAL;
}

export interface DoorTree {
  readonly pairs: readonly (readonly [number, number])[];
  readonly cost: number;
}

/** Penalty if the first bathroom is reached through a bedroom. */
const PRIVATE_BATH = 2.5;

/**
 * The cheapest set of doors that connects all rooms (Prim). Bathrooms, laundries and storerooms are added
 * last with one door each, so that no path leads through them. `touching` holds, by `a * count + b` in both
 * directions, whether two rooms share enough wall. Undefined if the rooms cannot be connected this way.
 */
export function doorTree(kinds: readonly RoomKind[], touching: Uint8Array): DoorTree | undefined {
  const count = kinds.length;
  const kind = (i: number): RoomKind => kinds[i] as RoomKind;
  const leaf = kinds.map((k) => KIND_RULES[k].leaf);
  const pairs: [number, number][] = [];
  let cost = 0;
  const nearest = new Float64Array(count).fill(Number.POSITIVE_INFINITY);
  const from = new Int8Array(count).fill(-1);
  const done = new Uint8Array(count);
  let next = leaf.indexOf(false);
  while (next >= 0) {
    const i = next;
    done[i] = 1;
    const via = from[i] as number;
    if (via >= 0) {
      pairs.push(via < i ? [via, i] : [i, via]);
      cost += nearest[i] as number;
    }
    next = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let j = 0; j < count; j++) {
      if (done[j] || leaf[j]) continue;
      if (touching[i * count + j]) {
        const own = doorCost(kind(i), kind(j));
        if (own < (nearest[j] as number)) {
          nearest[j] = own;
          from[j] = i;
        }
      }
      if ((nearest[j] as number) < least) {
        least = nearest[j] as number;
        next = j;
      }
    }
  }
  let publicBath = false;
  for (let i = 0; i < count; i++) {
    if (!leaf[i]) {
      if (!done[i]) return undefined;
      continue;
    }
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    const bath = kind(i) === "bathroom";
    for (let j = 0; j < count; j++) {
      if (leaf[j] || !touching[i * count + j]) continue;
      const hidden = bath && kind(j) === "bedroom" && !publicBath;
      const own = doorCost(kind(i), kind(j)) + (hidden ? PRIVATE_BATH : 0);
      if (own < least) {
        least = own;
        best = j;
      }
    }
    if (best < 0) return undefined;
    if (bath) publicBath = true;
    pairs.push(best < i ? [best, i] : [i, best]);
    cost += least;
  }
  return { pairs, cost };
}
