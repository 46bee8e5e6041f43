import type { Random } from "../../../../core/math/random.js";
import type { RoomKind, RoomRequest } from "./types.js";

interface KindRules {
  /** Typical and allowed areas, in square metres between the wall centre lines. */
  readonly typicalM2: readonly [number, number];
  readonly allowedM2: readonly [number, number];
  /** Minimum length of a side between the wall faces, in metres. */
  readonly sideM: number;
  readonly most: number;
  /** True if paths to other rooms must not lead through this room. */
  readonly leaf: boolean;
}

export const KIND_RULES: Readonly<Record<RoomKind, KindRules>> = {
  living_room: { typicalM2: [19, 30], allowedM2: [16, 46], sideM: 3.0, most: 1, leaf: false },
  kitchen: { typicalM2: [9, 15], allowedM2: [7, 21], sideM: 2.2, most: 1, leaf: false },
  bedroom: { typicalM2: [11, 18], allowedM2: [9, 25], sideM: 2.5, most: 4, leaf: false },
  bathroom: { typicalM2: [5, 8], allowedM2: [4.2, 11], sideM: 1.75, most: 3, leaf: true },
  corridor: { typicalM2: [6, 9], allowedM2: [4.5, 13], sideM: 1.15, most: 1, leaf: false },
  dining_room: { typicalM2: [11, 17], allowedM2: [9.5, 24], sideM: 2.7, most: 1, leaf: false },
  office: { typicalM2: [8, 13], allowedM2: [7, 19], sideM: 2.2, most: 1, leaf: false },
  laundry: { typicalM2: [4.5, 6.5], allowedM2: [3.8, 10], sideM: 1.65, most: 1, leaf: true },
  storage: { typicalM2: [4, 6], allowedM2: [3.2, 9], sideM: 1.5, most: 1, leaf: true },
};

/** Possible numbers of rooms, repeated by frequency. */
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

/**
 * Draws the kinds and areas of `count` rooms, one of them a corridor if requested. With three rooms, the
 * kitchen is part of the living room.
 */
export function drawProgram(
  random: Random,
  count: number,
  corridor: "none" | "hall",
): RoomRequest[] {
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
  // Varies the areas of apartments. Those with few rooms are only enlarged.
  const scale = count <= 4 ? 1.08 + 0.3 * random.uniform() : 0.95 + 0.35 * random.uniform();
  return kinds.map((kind) => {
    const [low, high] = KIND_RULES[kind].typicalM2;
    return { kind, areaM2: (low + (high - low) * random.uniform()) * scale };
  });
}
