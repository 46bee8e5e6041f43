import type { Random } from "../../../../core/math/random.js";
import type { Group, Item, Piece } from "../furniture/piece.js";
import type { Stand } from "../mesh/builder.js";
import type { Point } from "../plan/outline.js";
import type { Rect } from "../plan/types.js";
import { type RoomShell, turnOf, type WallSide } from "../shell/geometry.js";
import { inside, WalkGrid } from "./walk-grid.js";

export interface Placed {
  readonly piece: Piece;
  readonly stand: Stand;
  /** Its footprint. */
  readonly rect: Rect;
}

interface WallWish {
  /** Where along a wall it would best stand. */
  readonly prefer: "corner" | "centre" | "any";
  /** A room is not its kind without it: look longer. */
  readonly must?: true;
  /** Walls to try, best first; all in a drawn order if absent. */
  readonly walls?: readonly WallSide[];
}

/** A group in its place, so that others can be put in relation to it. */
export interface Site {
  readonly wall?: WallSide;
  readonly stand: Stand;
  readonly placed: readonly Placed[];
}

/** Floor in front of a door that stays free, metres into the room. */
const DOOR_CLEAR_M = 0.75;

/** Of the floor that has 0.7 m of width, so much must hang together; less for what a room must have. */
const JOINED = 0.85;
const JOINED_AT_LEAST = 0.6;
/** What is no higher may stand before any window, however low its sill: a couch, a table. */
const LOW_M = 0.8;
/** And a headboard may stand up before a sill by so much. */
const OVER_SILL_M = 0.12;

/** What stands where in one room, and what must stay free. */
export class RoomSpace {
  readonly shell: RoomShell;
  readonly placed: Placed[] = [];
  readonly #random: Random;
  readonly #grid: WalkGrid;
  /** Taken: furniture, open doors. */
  readonly #taken: { readonly rect: Rect; readonly h: number }[] = [];
  /** Kept free: before doors, before things in use. */
  readonly #free: Rect[] = [];
  readonly #windows: { readonly rect: Rect; readonly sill: number }[] = [];

  constructor(random: Random, shell: RoomShell, leaves: readonly Rect[]) {
    this.#random = random;
    this.shell = shell;
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
      this.#taken.push({ rect, h: 2 });
      this.#grid.add(rect);
    }
  }

  /** Puts a group with its back against some wall; undefined where it does not fit anywhere. */
  against(group: Group, wish: WallWish): Site | undefined {
    const walls = wish.walls ?? this.#random.shuffle(this.shell.walls);
    const [left, right] = span(group);
    for (const wall of walls) {
      const [low, high] = [0.03 - left, wall.length - 0.03 - right];
      if (high < low) continue;
      const middle = (low + high) / 2;
      const some = Array.from(
        { length: wish.must ? 14 : 6 },
        () => low + (high - low) * this.#random.uniform(),
      );
      const corners = this.#random.uniform() < 0.5 ? [low, high] : [high, low];
      const order =
        wish.prefer === "centre"
          ? [
              middle,
              ...some.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle)),
              ...corners,
            ]
          : wish.prefer === "corner"
            ? [...corners, ...some]
            : [...some, middle, ...corners];
      for (const s of order) {
        const [x, z] = onWall(wall, s, 0);
        const stand: Stand = { at: [x, 0, z], turnRad: turnOf(wall.normal) };
        const site = this.#try(group, stand, wish.must);
        if (site) return { ...site, wall };
      }
    }
    return undefined;
  }

  /** Puts a group somewhere in the room, near a point first. */
  near(group: Group, x: number, z: number, turns: readonly number[]): Site | undefined {
    for (let i = 0; i < 14; i++) {
      const reach = 0.12 * i;
      const [dx, dz] = [this.#random.uniform() - 0.5, this.#random.uniform() - 0.5];
      for (const turnRad of turns) {
        const at = [x + 2 * reach * dx, 0, z + 2 * reach * dz] as const;
        const site = this.#try(group, { at, turnRad });
        if (site) return site;
      }
    }
    return undefined;
  }

  /** Puts a group exactly there, or not at all. */
  at(group: Group, stand: Stand): Site | undefined {
    return this.#try(group, stand);
  }

  /** Things on walls, ceilings and tables, which take nobody's room. */
  hang(piece: Piece, stand: Stand): void {
    this.placed.push({ piece, stand, rect: footprint(piece, stand) });
  }

  /** Whether something of that depth can be fixed to a wall at a height without meeting furniture. */
  wallIsFree(wall: WallSide, from: number, to: number, bottomM: number, topM: number): boolean {
    if (from < 0.05 || to > wall.length - 0.05) return false;
    if (
      wall.holes.some(
        (h) =>
          from < h.to + 0.1 &&
          to > h.from - 0.1 &&
          h.opening.topM > bottomM - 0.05 &&
          h.opening.bottomM < topM,
      )
    ) {
      return false;
    }
    const rect = strip(wall, from, to, 0.14);
    if (this.#taken.some((t) => t.h > bottomM - 0.03 && overlap(t.rect, rect))) return false;
    return !this.placed.some(({ piece, stand, rect: other }) => {
      const low = stand.at[1];
      return low > 0.05 && low < topM && low + piece.h > bottomM && overlap(other, rect);
    });
  }

  #try(group: Group, stand: Stand, must?: true): Omit<Site, "wall"> | undefined {
    const done: Placed[] = [];
    let good = true;
    for (const item of group.items) {
      const own = itemStand(stand, item);
      const placed = { piece: item.piece, stand: own, rect: footprint(item.piece, own) };
      if (item.y !== undefined || item.piece.flat) {
        if (item.piece.flat && !inside(this.shell.cells, placed.rect)) {
          if (item.optional) continue;
          good = false;
          break;
        }
        done.push(placed);
        continue;
      }
      if (this.#fits(placed, done)) done.push(placed);
      else if (!item.optional) {
        good = false;
        break;
      }
    }
    const floor = done.filter((p) => p.stand.at[1] === 0 && !p.piece.flat);
    const front = group.useM ? useRect(group, stand, group.useM) : undefined;
    if (good && front && this.#taken.some((t) => overlap(t.rect, front))) good = false;
    if (!good) return undefined;
    for (const p of floor) this.#grid.add(p.rect);
    if (!this.#grid.joined(must ? JOINED_AT_LEAST : JOINED)) {
      for (const p of floor) this.#grid.remove(p.rect);
      return undefined;
    }
    for (const p of floor) this.#taken.push({ rect: p.rect, h: p.piece.h });
    if (front) this.#free.push(front);
    this.placed.push(...done);
    return { stand, placed: done };
  }

  #fits({ piece, rect }: Placed, besides: readonly Placed[]): boolean {
    if (!inside(this.shell.cells, rect)) return false;
    if (this.#taken.some((t) => overlap(t.rect, rect))) return false;
    if (this.#free.some((free) => overlap(free, rect))) return false;
    if (
      this.#windows.some(
        (w) => piece.h > Math.max(w.sill, LOW_M) + OVER_SILL_M && overlap(w.rect, rect),
      )
    )
      return false;
    return !besides.some(
      (p) => p.stand.at[1] === 0 && !p.piece.flat && overlap(p.rect, rect, 0.001),
    );
  }
}

export function onWall(wall: WallSide, s: number, off: number): Point {
  return [
    wall.a[0] + wall.along[0] * s + wall.normal[0] * off,
    wall.a[1] + wall.along[1] * s + wall.normal[1] * off,
  ];
}

/** How far along a wall a point lies. */
export function alongWall(wall: WallSide, x: number, z: number): number {
  return (x - wall.a[0]) * wall.along[0] + (z - wall.a[1]) * wall.along[1];
}

function strip(wall: WallSide, from: number, to: number, deep: number): Rect {
  return boundsOf([onWall(wall, from, 0), onWall(wall, to, deep)]);
}

function boundsOf(points: readonly Point[]): Rect {
  const [xs, zs] = [points.map((p) => p[0]), points.map((p) => p[1])];
  return { x0: Math.min(...xs), z0: Math.min(...zs), x1: Math.max(...xs), z1: Math.max(...zs) };
}

function overlap(a: Rect, b: Rect, slack = 0): boolean {
  return a.x0 < b.x1 - slack && b.x0 < a.x1 - slack && a.z0 < b.z1 - slack && b.z0 < a.z1 - slack;
}

function turned(stand: Stand, x: number, z: number): Point {
  const [c, s] = [Math.cos(stand.turnRad), Math.sin(stand.turnRad)];
  return [stand.at[0] + x * c + z * s, stand.at[2] - x * s + z * c];
}

function itemStand(stand: Stand, item: Item): Stand {
  const [x, z] = turned(stand, item.x, item.z);
  return { at: [x, item.y ?? 0, z], turnRad: stand.turnRad + (item.turn ?? 0) };
}

function footprint(piece: Piece, stand: Stand): Rect {
  const [w, d] = [piece.w / 2, piece.d / 2];
  return boundsOf([
    turned(stand, -w, -d),
    turned(stand, w, -d),
    turned(stand, w, d),
    turned(stand, -w, d),
  ]);
}

/** From the leftmost to the rightmost of what cannot be left out, along x. */
function span(group: Group): [number, number] {
  const own: Stand = { at: [0, 0, 0], turnRad: 0 };
  const rects = group.items
    .filter((item) => item.y === undefined && !item.optional && !item.piece.flat)
    .map((item) => footprint(item.piece, itemStand(own, item)));
  return [Math.min(...rects.map((r) => r.x0)), Math.max(...rects.map((r) => r.x1))];
}

function useRect(group: Group, stand: Stand, useM: number): Rect {
  const own: Stand = { at: [0, 0, 0], turnRad: 0 };
  const rects = group.items
    .filter((item) => item.y === undefined && !item.optional && !item.piece.flat)
    .map((item) => footprint(item.piece, itemStand(own, item)));
  const front = Math.max(...rects.map((r) => r.z1));
  const [x0, x1] = [Math.min(...rects.map((r) => r.x0)), Math.max(...rects.map((r) => r.x1))];
  return boundsOf([turned(stand, x0 + 0.01, front + 0.01), turned(stand, x1 - 0.01, front + useM)]);
}
