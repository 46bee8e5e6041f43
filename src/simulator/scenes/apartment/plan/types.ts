/** Plans are drawn in whole decimetres along the middle lines of the walls, so shared walls meet exactly. */
export interface Rect {
  readonly x0: number;
  readonly z0: number;
  readonly x1: number;
  readonly z1: number;
}

export const ROOM_KINDS = [
  "living_room",
  "kitchen",
  "bedroom",
  "bathroom",
  "corridor",
  "dining_room",
  "office",
  "laundry",
  "storage",
] as const;

export type RoomKind = (typeof ROOM_KINDS)[number];

/** A room somebody wants, before there is a place for it. */
export interface RoomWish {
  readonly kind: RoomKind;
  readonly areaM2: number;
}

export interface DraftRoom {
  readonly kind: RoomKind;
  /** Disjoint; together they are in one piece. */
  readonly rects: readonly Rect[];
  /** A passage by its shape: nothing else can be made of it. */
  readonly fixed?: boolean;
}

export interface Draft {
  readonly style: "spine" | "blocks" | "ring";
  readonly rooms: readonly DraftRoom[];
  /** How freely the rooms of the day flow into one another, 0 to 1. */
  readonly openness: number;
}

type OpeningKind = "door" | "arch" | "window" | "entrance";

/** A hole in a wall, in metres. The wall runs along `axis` at the coordinate `at` of the other axis. */
export interface Opening {
  readonly kind: OpeningKind;
  readonly axis: "x" | "z";
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly bottomM: number;
  readonly topM: number;
  /** Rooms by index; -1 is the outside, and always second. */
  readonly rooms: readonly [number, number];
}

export interface PlanRoom {
  readonly name: string;
  readonly kind: RoomKind;
  /** Middle lines, decimetres. */
  readonly rects: readonly Rect[];
}

export interface Plan {
  readonly style: Draft["style"];
  readonly rooms: readonly PlanRoom[];
  readonly openings: readonly Opening[];
  readonly heightM: number;
}

/** Half of an inner wall; the inner face of an outer wall is as far from its middle line. */
export const HALF_WALL_M = 0.06;
/** From the middle line of an outer wall to its outer face. */
export const OUTER_WALL_M = 0.14;

export function areaM2(rects: readonly Rect[]): number {
  return rects.reduce((sum, r) => sum + ((r.x1 - r.x0) * (r.z1 - r.z0)) / 100, 0);
}
