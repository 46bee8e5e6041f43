import type { Pose } from "../mesh/builder.js";
import { cover, inset, outlines, type Point, type Side, sides } from "../plan/outline.js";
import {
  HALF_WALL_M,
  type Opening,
  OUTER_WALL_M,
  type Plan,
  type PlanRoom,
  type Rect,
} from "../plan/types.js";

/** An opening in a wall, along one side of a room. */
interface Hole {
  readonly opening: Opening;
  readonly from: number;
  readonly to: number;
}

export interface WallSide extends Side {
  readonly holes: readonly Hole[];
  /** True if the start (or end) of the wall is a convex corner, which is not darkened. */
  readonly openStart: boolean;
  readonly openEnd: boolean;
}

/** The built shape of a room: the space between its wall faces. */
export interface RoomShell {
  readonly index: number;
  readonly room: PlanRoom;
  readonly outline: readonly Point[];
  readonly walls: readonly WallSide[];
  readonly cells: readonly Rect[];
  readonly areaM2: number;
}

const NEAR = 1e-6;

function holesOf(side: Side, openings: readonly Opening[], reach: number): Hole[] {
  const axis = side.along[0] !== 0 ? "x" : "z";
  const [line, start, step] =
    axis === "x" ? [side.a[1], side.a[0], side.along[0]] : [side.a[0], side.a[1], side.along[1]];
  return openings
    .filter((o) => o.axis === axis && Math.abs(o.at - line) < reach + NEAR)
    .map((opening) => {
      const ends = [(opening.from - start) * step, (opening.to - start) * step];
      return { opening, from: Math.min(...ends), to: Math.max(...ends) };
    })
    .filter((hole) => hole.from > -NEAR && hole.to < side.length + NEAR)
    .sort((a, b) => a.from - b.from);
}

function withHoles(
  loop: readonly Point[],
  openings: readonly Opening[],
  reach: number,
): WallSide[] {
  const all = sides(loop);
  const turnsRight = (a: Side, b: Side) => a.along[0] * b.along[1] - a.along[1] * b.along[0] < 0;
  return all.map((side, i) => {
    const before = all[(i + all.length - 1) % all.length] ?? side;
    const after = all[(i + 1) % all.length] ?? side;
    return {
      ...side,
      holes: holesOf(side, openings, reach),
      openStart: turnsRight(before, side),
      openEnd: turnsRight(side, after),
    };
  });
}

export function roomShells(plan: Plan): RoomShell[] {
  return plan.rooms.map((room, index) => {
    const outline = inset(outlines(room.rects)[0] ?? [], HALF_WALL_M);
    const cells = cover(outline);
    const openings = plan.openings.filter((o) => o.rooms.includes(index));
    return {
      index,
      room,
      outline,
      walls: withHoles(outline, openings, HALF_WALL_M),
      cells,
      areaM2: cells.reduce((sum, c) => sum + (c.x1 - c.x0) * (c.z1 - c.z0), 0),
    };
  });
}

/** The outer faces of the building, as seen from outside. */
export function facade(plan: Plan): WallSide[] {
  const loops = outlines(plan.rooms.flatMap((room) => room.rects));
  const openings = plan.openings.filter((o) => o.rooms[1] < 0);
  return loops.flatMap((loop) =>
    withHoles(inset(loop, 0 - OUTER_WALL_M).reverse(), openings, OUTER_WALL_M),
  );
}

/** An opening's own axes: x along the wall, +z into its first room, on the wall's centre line. */
export function openingPose(opening: Opening, shells: readonly RoomShell[]): Pose {
  const middle = (opening.from + opening.to) / 2;
  const walls = shells[opening.rooms[0]]?.walls ?? [];
  const wall = walls.find((w) => w.holes.some((hole) => hole.opening === opening));
  return {
    at: opening.axis === "x" ? [middle, 0, opening.at] : [opening.at, 0, middle],
    turnRad: turnOf(wall?.normal ?? [0, 1]),
  };
}

/** The rotation that maps +z to a direction along an axis. */
function turnOf([x, z]: Point): number {
  if (z > 0.5) return 0;
  if (x > 0.5) return Math.PI / 2;
  return z < -0.5 ? Math.PI : -Math.PI / 2;
}

/** A point `s` metres along a wall and `off` metres in front of it. */
export function onWall(wall: Side, s: number, off: number): Point {
  return [
    wall.a[0] + wall.along[0] * s + wall.normal[0] * off,
    wall.a[1] + wall.along[1] * s + wall.normal[1] * off,
  ];
}

/** The pose of an object at that point and height, with its back to the wall. */
export function wallPose(wall: WallSide, s: number, off: number, y: number): Pose {
  const [x, z] = onWall(wall, s, off);
  return { at: [x, y, z], turnRad: turnOf(wall.normal) };
}

/** Distance of a point from the wall's start, along the wall. */
export function alongWall(wall: WallSide, x: number, z: number): number {
  return (x - wall.a[0]) * wall.along[0] + (z - wall.a[1]) * wall.along[1];
}

/** The strip of floor in front of a part of a wall. */
export function strip(wall: WallSide, from: number, to: number, deep: number): Rect {
  return boundsOf([onWall(wall, from, 0), onWall(wall, to, deep)]);
}

export function boundsOf(points: readonly Point[]): Rect {
  const [xs, zs] = [points.map((p) => p[0]), points.map((p) => p[1])];
  return { x0: Math.min(...xs), z0: Math.min(...zs), x1: Math.max(...xs), z1: Math.max(...zs) };
}

/** The centre of the largest rectangle in a room. */
export function middleOf({ cells }: RoomShell): Point {
  const size = (c: Rect) => (c.x1 - c.x0) * (c.z1 - c.z0);
  const largest = cells.reduce((a, b) => (size(b) > size(a) ? b : a));
  return [(largest.x0 + largest.x1) / 2, (largest.z0 + largest.z1) / 2];
}
