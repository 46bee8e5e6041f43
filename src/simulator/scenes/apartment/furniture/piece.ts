import type { Vec3 } from "../../../../core/math/vec3.js";
import type { Material } from "../../model.js";
import type { MeshBuilder } from "../mesh/builder.js";

/**
 * A placeable object. In its own axes, the centre of its footprint is the origin, its support is at y = 0 and
 * its front points along +z. Surfaces between 5 and 25 cm high are not allowed, because a robot would climb
 * onto them.
 */
export interface Piece {
  readonly category: string;
  /** Metres: along x, along z, and upwards. */
  readonly w: number;
  readonly d: number;
  readonly h: number;
  /** Flat on the floor; other pieces may stand on it. */
  readonly flat?: true;
  /** How much it darkens the floor below and around it, 0 to 1. */
  readonly shadow?: number;
  /** Its drawers that a simulator can move, from the top. */
  readonly drawers?: readonly PieceDrawer[];
  /** @param without indices of the drawers that are left out: the mesh is open where they were */
  build(b: MeshBuilder, without?: ReadonlySet<number>): void;
}

/** A drawer in the axes of its piece. */
export interface PieceDrawer {
  /** Middle of its closed front. */
  readonly front: Vec3;
  /** Width and height of the front, and depth of the drawer. */
  readonly sizeM: Vec3;
  readonly material: Material;
}

export function piece(
  category: string,
  properties: Omit<Piece, "category" | "build">,
  build: Piece["build"],
): Piece {
  return { category, ...properties, build };
}

/** A piece in the axes of a group. */
export interface Item {
  readonly piece: Piece;
  readonly x: number;
  readonly z: number;
  /** Height above the floor, for items on a table or a wall. These take no floor space. */
  readonly y?: number;
  /** Radians about +y. */
  readonly turn?: number;
  /** Omitted if it does not fit, while the rest of the group stays. */
  readonly optional?: true;
}

/**
 * Objects that are placed together. Against a wall: z = 0 is the wall, +z points into the room, x = 0 is the
 * centre. Free in the room: the origin is the centre.
 */
export interface Group {
  readonly items: readonly Item[];
  /** Depth of floor in front, from the largest z, that must stay free for use. */
  readonly useM?: number;
}

/** One piece, free in the room. */
export function single(only: Piece): Group {
  return { items: [{ piece: only, x: 0, z: 0 }] };
}

/** One piece with its back to the wall. */
export function alone(only: Piece, useM = 0.55): Group {
  return { items: [{ piece: only, x: 0, z: only.d / 2 + 0.02 }], useM };
}
