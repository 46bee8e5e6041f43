import type { MeshBuilder } from "../mesh/builder.js";

/**
 * A thing that can be put somewhere. Its own axes: the middle of its footprint at the origin, the floor
 * (or what it stands on) at y = 0, its front along +z. Tops that one could step onto must not be
 * between 5 and 25 cm high, or a robot climbs the furniture.
 */
export interface Piece {
  readonly category: string;
  /** Metres: along x, along z, and up. */
  readonly w: number;
  readonly d: number;
  readonly h: number;
  /** Flat on the floor: others may stand on it. */
  readonly flat?: true;
  /** How much light it keeps from the floor below and around it, 0 to 1. */
  readonly shadow?: number;
  build(b: MeshBuilder): void;
}

/** A piece in the axes of a group. */
export interface Item {
  readonly piece: Piece;
  readonly x: number;
  readonly z: number;
  /** Above the floor: on a table, on a wall. Such items take no room on the floor. */
  readonly y?: number;
  /** Radians about +y. */
  readonly turn?: number;
  /** Left out where it does not fit, while the rest stays. */
  readonly optional?: true;
}

/**
 * Things that belong together. Against a wall: z = 0 is the wall, +z leads into the room, x = 0 is the
 * middle. Free in the room: the origin is the middle.
 */
export interface Group {
  readonly items: readonly Item[];
  /** Floor in front that must stay free for using it, from the largest z onwards. */
  readonly useM?: number;
}

/** One piece with its back to the wall. */
export function alone(piece: Piece, useM = 0.55): Group {
  return { items: [{ piece, x: 0, z: piece.d / 2 + 0.02 }], useM };
}
