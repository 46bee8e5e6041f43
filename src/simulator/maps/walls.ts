import type { SceneDoor, SceneRoom } from "../scenes/model.js";
import type { Point } from "./plan.js";

/** A door's threshold lies in the wall between two rooms, whose outlines may be a wall thickness apart. */
const REACH_M = 0.4;

type Segment = readonly [from: Point, to: Point];

export interface Walls {
  readonly solid: readonly Segment[];
  /** The gaps in the walls at doors. */
  readonly open: readonly Segment[];
}

/** The sides of rooms, split into solid pieces and gaps. */
export function wallsOf(rooms: readonly SceneRoom[], doors: readonly SceneDoor[]): Walls {
  const walls = rooms.flatMap((room) => {
    const own = doors.filter((door) => door.rooms.includes(room.name));
    return room.outline.map((from, i) => {
      const to = room.outline[(i + 1) % room.outline.length] ?? from;
      return cut([from, to], own);
    });
  });
  return {
    solid: walls.flatMap(({ solid }) => solid),
    open: walls.flatMap(({ open }) => open),
  };
}

function cut([from, to]: Segment, doors: readonly SceneDoor[]): Walls {
  const [dx, dz] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.sqrt(dx * dx + dz * dz);
  if (!(length > 0)) return { solid: [], open: [] };
  const gaps = doors.flatMap(({ position, widthM }): (readonly [number, number])[] => {
    const [x, z] = [position[0] - from[0], position[2] - from[1]];
    const along = (x * dx + z * dz) / length;
    const aside = Math.abs(x * dz - z * dx) / length;
    // If a wall only ends next to a door, the centre of the door lies beyond that end.
    const isHere = aside <= REACH_M && along > 0 && along < length;
    return isHere ? [[Math.max(0, along - widthM / 2), Math.min(length, along + widthM / 2)]] : [];
  });
  gaps.sort((a, b) => a[0] - b[0]);
  const piece = (begin: number, end: number): Segment => [
    [from[0] + (dx * begin) / length, from[1] + (dz * begin) / length],
    [from[0] + (dx * end) / length, from[1] + (dz * end) / length],
  ];
  const solid: Segment[] = [];
  let done = 0;
  for (const [begin, end] of [...gaps, [length, length] as const]) {
    if (begin > done) solid.push(piece(done, begin));
    done = Math.max(done, end);
  }
  return { solid, open: gaps.map(([begin, end]) => piece(begin, end)) };
}
