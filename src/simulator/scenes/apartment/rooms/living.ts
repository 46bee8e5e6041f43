import { bookcase, sideboard } from "../furniture/cabinets.js";
import { rug, television } from "../furniture/decor.js";
import { floorLamp } from "../furniture/lights.js";
import { alone, type Group, type Item } from "../furniture/piece.js";
import { plant } from "../furniture/plants.js";
import { armchair, couch, pouf } from "../furniture/seating.js";
import { coffeeTable } from "../furniture/tables.js";
import type { Site } from "../placement/room-space.js";
import { alongWall, type WallSide, wallPose } from "../shell/geometry.js";
import { RUGS, type Screen } from "../textures/pictures.js";
import { tableWithChairs } from "./dining.js";
import type { Furnishing } from "./furnish.js";
import { placeKitchenRow } from "./kitchen.js";

const SHOWN: readonly Screen[] = ["landscape", "news", "game"];

function seatGroup(f: Furnishing, wide: number, full: boolean): Group {
  const { random, look } = f;
  const sofa = couch(random, look, wide);
  const table = coffeeTable(random, look, 1.0);
  const z = sofa.d / 2 + 0.04;
  const before = sofa.d + 0.04 + 0.42 + table.d / 2;
  const items: Item[] = [
    {
      piece: rug(random, look, Math.min(2.6, wide + 0.5), 1.7, random.pick(RUGS)),
      x: 0,
      z: before - 0.1,
      optional: true,
    },
    { piece: sofa, x: 0, z },
    { piece: table, x: 0, z: before, ...(full ? {} : { optional: true as const }) },
  ];
  if (random.uniform() < 0.6) {
    const chair = armchair(random, look, random.pick([look.sofa, ...look.cushions]));
    const side = random.uniform() < 0.5 ? 1 : -1;
    const x = side * (table.w / 2 + 0.45 + chair.d / 2);
    items.push({ piece: chair, x, z: before + 0.1, turn: (-side * Math.PI) / 2, optional: true });
  }
  return { items, useM: 0.01 };
}

/** Places the television on the wall that the couch faces, as nearly opposite as possible. */
function placeTelevision(f: Furnishing, seat: Site | undefined): void {
  const { random, look, space } = f;
  const screen = television(look, random.pick([1.0, 1.2, 1.35]), random.pick(SHOWN));
  const pose = sideboard(random, look, screen.w + 0.3, 0.42, 0.5);
  const group: Group = {
    items: [
      { piece: pose, x: 0, z: 0.23 },
      { piece: screen, x: 0, z: 0.23, y: pose.h },
    ],
    useM: 0.4,
  };
  const wall = seat?.wall;
  const facing = wall && space.shell.walls.find((w) => opposite(w, wall) && sees(w, wall, seat));
  if (facing && wall && seat) {
    const s = alongWall(facing, seat.pose.at[0], seat.pose.at[2]);
    for (const off of [0, 0.3, -0.3, 0.6, -0.6, 0.9, -0.9]) {
      if (space.at(group, wallPose(facing, s + off, 0, 0))) return;
    }
  }
  const walls = random.shuffle(space.shell.walls.filter((w) => w !== wall));
  if (space.against(group, { prefer: "centre", walls, must: true })) return;
  // No floor space for a stand: mount it on the wall.
  for (const at of walls) {
    for (const u of [0.5, 0.3, 0.7, 0.2, 0.8]) {
      const s = at.length * u;
      if (!space.wallIsFree(at, s - screen.w / 2, s + screen.w / 2, 0.95, 0.95 + screen.h))
        continue;
      space.hang(screen, wallPose(at, s, screen.d / 2, 0.95));
      return;
    }
  }
}

const opposite = (a: WallSide, b: WallSide): boolean =>
  a.normal[0] === 0 - b.normal[0] && a.normal[1] === 0 - b.normal[1];

function sees(wall: WallSide, from: WallSide, seat: Site): boolean {
  const away = (wall.a[0] - from.a[0]) * from.normal[0] + (wall.a[1] - from.a[1]) * from.normal[1];
  const s = alongWall(wall, seat.pose.at[0], seat.pose.at[2]);
  return away > 1.8 && s > 0.5 && s < wall.length - 0.5;
}

export function furnishLivingRoom(f: Furnishing): void {
  const { random, look, space, withKitchen } = f;
  const area = space.shell.areaM2;
  if (withKitchen) placeKitchenRow(f, 3.3);
  // Places the couch on a long wall, with enough space in front for a table and a path.
  const walls = space.shell.walls.slice().sort((a, b) => b.length - a.length);
  const seat =
    space.against(seatGroup(f, area > 18 ? 2.15 : 1.9, true), { prefer: "centre", walls }) ??
    space.against(seatGroup(f, 1.6, false), { prefer: "any", walls, must: true }) ??
    space.against(alone(couch(random, look, 1.4), 0.3), { prefer: "corner", must: true });
  placeTelevision(f, seat);
  if (area > 24 || withKitchen) {
    const far = farthest(f, seat);
    for (const seats of area > 28 ? ([4, 2] as const) : ([2] as const)) {
      if (space.near(tableWithChairs(f, seats), far[0], far[1], [0, Math.PI / 2])) break;
    }
  }
  for (const w of [1.6, 0.9]) {
    if (random.uniform() < 0.8) {
      const h = random.pick([1.9, 1.9, 1.2]);
      if (space.against(alone(bookcase(random, look, w, h), 0.45), { prefer: "any" })) break;
    }
  }
  if (random.uniform() < 0.85) space.against(alone(plant(random, look), 0), { prefer: "corner" });
  if (random.uniform() < 0.75)
    space.against(alone(floorLamp(random, look), 0), { prefer: "corner" });
  if (area > 20 && random.uniform() < 0.5) {
    const second = armchair(random, look, random.pick(look.cushions));
    space.against(alone(second, 0.4), { prefer: "corner" });
  }
  if (random.uniform() < 0.4) space.against(alone(pouf(random, look), 0.2), { prefer: "any" });
  if (area > 26 && random.uniform() < 0.5) {
    space.against(alone(plant(random, look), 0), { prefer: "corner" });
  }
}

/** The centre of the part of the room farthest from the couch. */
function farthest({ space }: Furnishing, seat: Site | undefined): [number, number] {
  const [sx, , sz] = seat?.pose.at ?? [0, 0, 0];
  const points = space.shell.cells.flatMap((c) => {
    const [w, d] = [c.x1 - c.x0, c.z1 - c.z0];
    return [0.25, 0.5, 0.75].flatMap((u) =>
      [0.25, 0.5, 0.75].map((v): [number, number] => [c.x0 + u * w, c.z0 + v * d]),
    );
  });
  const d2 = ([x, z]: [number, number]) => (x - sx) * (x - sx) + (z - sz) * (z - sz);
  return points.reduce((a, b) => (d2(b) > d2(a) ? b : a));
}
