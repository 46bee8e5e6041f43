/**
 * A rectangle of a plan, in whole decimetres along the wall centre lines, so that shared walls match exactly.
 */
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

/** A requested room that has no position yet. */
export interface RoomRequest {
  readonly kind: RoomKind;
  readonly areaM2: number;
}

export interface DraftRoom {
  readonly kind: RoomKind;
  /** Disjoint rectangles that are connected. */
  readonly rects: readonly Rect[];
  /** True if the shape determines the kind, as for a corridor. */
  readonly fixed?: boolean;
}

export interface Draft {
  readonly style: "spine" | "blocks" | "ring";
  readonly rooms: readonly DraftRoom[];
  /** Probability of wide openings between living areas, 0 to 1. */
  readonly openness: number;
}

/** A piece of a straight line along `axis`, at the coordinate `at` of the other axis. */
export interface Span {
  readonly axis: "x" | "z";
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** An opening in a wall, in metres. */
export interface Opening extends Span {
  readonly kind: "door" | "arch" | "window" | "entrance";
  readonly bottomM: number;
  readonly topM: number;
  /** Room indices; -1 is the outside and always second. */
  readonly rooms: readonly [number, number];
}

export interface PlanRoom {
  readonly name: string;
  readonly kind: RoomKind;
  /** Wall centre lines, in decimetres. */
  readonly rects: readonly Rect[];
}

export interface Plan {
  readonly style: Draft["style"];
  readonly rooms: readonly PlanRoom[];
  readonly openings: readonly Opening[];
  readonly heightM: number;
}

/** Half the thickness of an inner wall; the inner face of an outer wall is as far from its centre line. */
export const HALF_WALL_M = 0.06;
/** Distance from the centre line of an outer wall to its outer face. */
export const OUTER_WALL_M = 0.14;

export function overlap(a: Rect, b: Rect, slack = 0): boolean {
  return a.x0 < b.x1 - slack && b.x0 < a.x1 - slack && a.z0 < b.z1 - slack && b.z0 < a.z1 - slack;
}

export function areaM2(rects: readonly Rect[]): number {
  return rects.reduce((sum, r) => sum + ((r.x1 - r.x0) * (r.z1 - r.z0)) / 100, 0);
}
