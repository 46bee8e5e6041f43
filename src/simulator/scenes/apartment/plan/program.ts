import type { Random } from "../../../../core/math/random.js";
import type { RoomKind, RoomWish } from "./types.js";

interface KindRules {
  /** Square metres between the middle lines: what is drawn, and what still serves. */
  readonly wish: readonly [number, number];
  readonly fits: readonly [number, number];
  /** Shortest clear side, metres. */
  readonly sideM: number;
  readonly most: number;
  /** A room one does not walk through to get to another. */
  readonly leaf: boolean;
}

export const KIND_RULES: Readonly<Record<RoomKind, KindRules>> = {
  living_room: { wish: [19, 30], fits: [16, 46], sideM: 3.0, most: 1, leaf: false },
  kitchen: { wish: [9, 15], fits: [7, 21], sideM: 2.2, most: 1, leaf: false },
  bedroom: { wish: [11, 18], fits: [9, 25], sideM: 2.5, most: 4, leaf: false },
  bathroom: { wish: [5, 8], fits: [4.2, 11], sideM: 1.75, most: 3, leaf: true },
  corridor: { wish: [6, 9], fits: [4.5, 13], sideM: 1.15, most: 1, leaf: false },
  dining_room: { wish: [11, 17], fits: [9.5, 24], sideM: 2.7, most: 1, leaf: false },
  office: { wish: [8, 13], fits: [7, 19], sideM: 2.2, most: 1, leaf: false },
  laundry: { wish: [4.5, 6.5], fits: [3.8, 10], sideM: 1.65, most: 1, leaf: true },
  storage: { wish: [4, 6], fits: [3.2, 9], sideM: 1.5, most: 1, leaf: true },
};

/** Rooms an apartment may have, with how often it has that many. */
const COUNTS: readonly number[] = [
  3, 4, 4, 5, 5, 5, 6, 6, 6, 7, 7, 7, 8, 8, 8, 9, 9, 10, 10, 11, 12,
];

const EXTRAS: readonly (readonly [kind: RoomKind, weight: number, from: number])[] = [
  ["bedroom", 7, 5],
  ["dining_room", 3, 5],
  ["office", 2, 5],
  ["bathroom", 2.5, 6],
  ["storage", 1.2, 6],
  ["laundry", 1.5, 7],
];

export function drawRoomCount(random: Random): number {
  return random.pick(COUNTS);
}

/** `count` rooms without corridors; three rooms have their kitchen in the living room. */
export function drawProgram(random: Random, count: number, corridor: "none" | "hall"): RoomWish[] {
  const kinds: RoomKind[] = ["living_room", "bedroom", "bathroom"];
  if (count > 3) kinds.push("kitchen");
  if (corridor === "hall") kinds.push("corridor");
  while (kinds.length < count) {
    const open = EXTRAS.filter(
      ([kind, , from]) =>
        count >= from && kinds.filter((k) => k === kind).length < KIND_RULES[kind].most,
    );
    const total = open.reduce((sum, [, weight]) => sum + weight, 0);
    let at = random.uniform() * total;
    const hit = open.find(([, weight]) => {
      at -= weight;
      return at < 0;
    });
    kinds.push(hit ? hit[0] : "bedroom");
  }
  // Generous and thrifty apartments; small ones are not made smaller still.
  const scale = count <= 4 ? 1.08 + 0.3 * random.uniform() : 0.95 + 0.35 * random.uniform();
  return kinds.map((kind) => {
    const [low, high] = KIND_RULES[kind].wish;
    return { kind, areaM2: (low + (high - low) * random.uniform()) * scale };
  });
}
