import type { Random } from "../../../../core/math/random.js";
import type { Group, Item, Piece } from "../furniture/piece.js";
import type { Pose } from "../mesh/builder.js";
import type { Point } from "../plan/outline.js";
import { overlap, type Rect } from "../plan/types.js";
import {
  boundsOf,
  onWall,
  type RoomShell,
  strip,
  type WallSide,
  wallPose,
} from "../shell/geometry.js";
import { inside, WalkGrid } from "./walk-grid.js";

export interface Placed {
  readonly piece: Piece;
  readonly pose: Pose;
  /** The floor area that the piece covers. */
  readonly rect: Rect;
}

interface WallPreference {
  /** Preferred position along a wall. */
  readonly prefer: "corner" | "centre" | "any";
  /** The room requires this group: tries more positions and accepts less connected floor. */
  readonly must?: true;
  /** Walls to try, best first; by default all in random order. */
  readonly walls?: readonly WallSide[];
}

/** A placed group, for placing others relative to it. */
export interface Site {
  readonly wall?: WallSide;
  readonly pose: Pose;
  readonly placed: readonly Placed[];
}

/** Depth of floor in front of a door that stays free, in metres. */
const DOOR_CLEAR_M = 0.75;

/** Share of the floor wider than 0.7 m that must stay connected; the lower limit is for required groups. */
const CONNECTED_SHARE = 0.85;
const MIN_CONNECTED_SHARE = 0.6;
/** Furniture up to this height may stand in front of any window: a couch, a table. */
const LOW_M = 0.8;
/** Furniture may rise this much above a window sill, for headboards. */
const OVER_SILL_M = 0.12;

/** The furniture of one room and the floor that must stay free. */
export class RoomSpace {
  readonly placed: Placed[] = [];
  readonly #grid: WalkGrid;
  /** Floor areas occupied by furniture or open doors, and the height of each obstacle. */
  readonly #occupied: { readonly rect: Rect; readonly h: number }[] = [];
  /** Floor areas that stay free in front of doors and furniture. */
  readonly #free: Rect[] = [];
  readonly #windows: { readonly rect: Rect; readonly sill: number }[] = [];

  constructor(
    private readonly random: Random,
    readonly shell: RoomShell,
    leaves: readonly Rect[],
  ) {
    const entries: Point[] = [];
    for (const wall of shell.walls) {
      for (const { opening, from, to } of wall.holes) {
        if (opening.kind === "window") {
          this.#windows.push({ rect: strip(wall, from, to, 0.25), sill: opening.bottomM });
          continue;
        }
        this.#free.push(strip(wall, from - 0.05, to + 0.05, DOOR_CLEAR_M));
        if (opening.kind !== "entrance") entries.push(onWall(wall, (from + to) / 2, 0.45));
      }
    }
    this.#grid = new WalkGrid(shell.cells, entries);
    for (const rect of leaves) {
      this.#occupied.push({ rect, h: 2 });
      this.#grid.add(rect);
    }
  }

  /** Places a group with its back against a wall; undefined if it fits nowhere. */
  against(group: Group, preference: WallPreference): Site | undefined {
    const walls = preference.walls ?? this.random.shuffle(this.shell.walls);
    const { x0: left, x1: right } = requiredRect(group);
    for (const wall of walls) {
      const [low, high] = [0.03 - left, wall.length - 0.03 - right];
      if (high < low) continue;
      const middle = (low + high) / 2;
      const some = Array.from(
        { length: preference.must ? 14 : 6 },
        () => low + (high - low) * this.random.uniform(),
      );
      const corners = this.random.uniform() < 0.5 ? [low, high] : [high, low];
      const order =
        preference.prefer === "centre"
          ? [
              middle,
              ...some.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle)),
              ...corners,
            ]
          : preference.prefer === "corner"
            ? [...corners, ...some]
            : [...some, middle, ...corners];
      for (const s of order) {
        const site = this.at(group, wallPose(wall, s, 0, 0), preference.must);
        if (site) return { ...site, wall };
      }
    }
    return undefined;
  }

  /** Places a group in the room, as near to a point as possible. */
  near(group: Group, x: number, z: number, turns: readonly number[]): Site | undefined {
    for (let i = 0; i < 14; i++) {
      const reach = 0.12 * i;
      const [dx, dz] = [this.random.uniform() - 0.5, this.random.uniform() - 0.5];
      for (const turnRad of turns) {
        const at = [x + 2 * reach * dx, 0, z + 2 * reach * dz] as const;
        const site = this.at(group, { at, turnRad });
        if (site) return site;
      }
    }
    return undefined;
  }

  /** Places an object on a wall, ceiling or table, which takes no floor space. */
  hang(piece: Piece, pose: Pose): void {
    this.placed.push({ piece, pose, rect: footprint(piece, pose) });
  }

  /** Places an object on top of the first piece of a group. */
  putOn({ placed: [below] }: Site, piece: Piece, turnRad = 0): void {
    if (!below) return;
    const [x, , z] = below.pose.at;
    this.hang(piece, { at: [x, below.piece.h, z], turnRad });
  }

  /** Whether an object can be mounted on a wall between two heights without touching furniture. */
  wallIsFree(wall: WallSide, from: number, to: number, bottomM: number, topM: number): boolean {
    if (from < 0.05 || to > wall.length - 0.05) return false;
    const meetsHole = wall.holes.some(
      ({ opening, ...hole }) =>
        from < hole.to + 0.1 &&
        to > hole.from - 0.1 &&
        opening.topM > bottomM - 0.05 &&
        opening.bottomM < topM,
    );
    if (meetsHole) return false;
    const rect = strip(wall, from, to, 0.14);
    if (this.#occupied.some((t) => t.h > bottomM - 0.03 && overlap(t.rect, rect))) return false;
    return !this.placed.some(({ piece, pose, rect: other }) => {
      const low = pose.at[1];
      return low > 0.05 && low < topM && low + piece.h > bottomM && overlap(other, rect);
    });
  }

  /** Places a group at a pose; undefined if it does not fit. `must` lowers the required connected floor. */
  at(group: Group, pose: Pose, must?: true): Site | undefined {
    const done: Placed[] = [];
    for (const item of group.items) {
      const { piece, y, optional } = item;
      const own = itemPose(pose, item);
      const placed = { piece, pose: own, rect: footprint(piece, own) };
      const fits = piece.flat
        ? inside(this.shell.cells, placed.rect)
        : y !== undefined || this.#fits(placed, done);
      if (fits) done.push(placed);
      else if (!optional) return undefined;
    }
    const floor = done.filter((p) => p.pose.at[1] === 0 && !p.piece.flat);
    const front = group.useM ? useRect(group, pose, group.useM) : undefined;
    if (front && this.#occupied.some((t) => overlap(t.rect, front))) return undefined;
    for (const p of floor) this.#grid.add(p.rect);
    if (!this.#grid.joined(must ? MIN_CONNECTED_SHARE : CONNECTED_SHARE)) {
      for (const p of floor) this.#grid.remove(p.rect);
      return undefined;
    }
    for (const p of floor) this.#occupied.push({ rect: p.rect, h: p.piece.h });
    if (front) this.#free.push(front);
    this.placed.push(...done);
    return { pose, placed: done };
  }

  #fits({ piece, rect }: Placed, others: readonly Placed[]): boolean {
    if (!inside(this.shell.cells, rect)) return false;
    if (this.#occupied.some((t) => overlap(t.rect, rect))) return false;
    if (this.#free.some((free) => overlap(free, rect))) return false;
    const hides = (sill: number) => piece.h > Math.max(sill, LOW_M) + OVER_SILL_M;
    if (this.#windows.some((w) => hides(w.sill) && overlap(w.rect, rect))) return false;
    return !others.some((p) => p.pose.at[1] === 0 && !p.piece.flat && overlap(p.rect, rect, 0.001));
  }
}

function turned(pose: Pose, x: number, z: number): Point {
  const c = Math.cos(pose.turnRad);
  const s = Math.sin(pose.turnRad);
  return [pose.at[0] + x * c + z * s, pose.at[2] - x * s + z * c];
}

function itemPose(pose: Pose, item: Item): Pose {
  const [x, z] = turned(pose, item.x, item.z);
  return { at: [x, item.y ?? 0, z], turnRad: pose.turnRad + (item.turn ?? 0) };
}

function footprint(piece: Piece, pose: Pose): Rect {
  const [w, d] = [piece.w / 2, piece.d / 2];
  return boundsOf([
    turned(pose, -w, -d),
    turned(pose, w, -d),
    turned(pose, w, d),
    turned(pose, -w, d),
  ]);
}

/** The rectangle around a group's required items on the floor, in the group's axes. */
function requiredRect(group: Group): Rect {
  const rects = group.items
    .filter((item) => item.y === undefined && !item.optional && !item.piece.flat)
    .map((item) => footprint(item.piece, itemPose({ at: [0, 0, 0], turnRad: 0 }, item)));
  return boundsOf(
    rects.flatMap(({ x0, z0, x1, z1 }): Point[] => [
      [x0, z0],
      [x1, z1],
    ]),
  );
}

function useRect(group: Group, pose: Pose, useM: number): Rect {
  const { x0, x1, z1 } = requiredRect(group);
  return boundsOf([turned(pose, x0 + 0.01, z1 + 0.01), turned(pose, x1 - 0.01, z1 + useM)]);
}
