import type { Random } from "../../../../core/math/random.js";
import { longestShared, type Segment } from "./adjacency.js";
import { DOOR_WALL_DM } from "./assign.js";
import { type DoorTree, doorCost } from "./doors.js";
import { KIND_RULES } from "./program.js";
import type { Opening, RoomKind } from "./types.js";

const DAY_ROOMS: ReadonlySet<RoomKind> = new Set([
  "living_room",
  "kitchen",
  "dining_room",
  "corridor",
]);
/** Height of doors, metres. */
const DOOR_M = 2.05;

const cm = (m: number): number => Math.round(m * 100) / 100;

function openingIn(
  { axis, at, rooms }: Segment,
  kind: Opening["kind"],
  from: number,
  widthM: number,
  [bottomM, topM]: readonly [number, number],
): Opening {
  return { kind, axis, at: at / 10, from, to: cm(from + widthM), bottomM, topM, rooms };
}

/** Doors and archways: those of the tree, plus extra ones that create loops. */
export function drawDoors(
  random: Random,
  kinds: readonly RoomKind[],
  tree: DoorTree,
  segments: readonly Segment[],
  openness: number,
): Opening[] {
  const longest = longestShared(segments, kinds.length);
  const kind = (i: number): RoomKind => kinds[i] ?? "storage";
  const day = (i: number) => DAY_ROOMS.has(kind(i));
  const pairs = tree.pairs.slice();
  const spare = [...longest.values()]
    .filter(({ from, to, rooms: [a, b] }) => {
      const leaf = KIND_RULES[kind(a)].leaf || KIND_RULES[kind(b)].leaf;
      return to - from >= DOOR_WALL_DM && !leaf && !pairs.some(([p, q]) => p === a && q === b);
    })
    .map(({ rooms }) => ({ rooms, cost: doorCost(kind(rooms[0]), kind(rooms[1])) }))
    .sort((p, q) => p.cost - q.cost);
  const looped = random.uniform() < 0.45;
  for (const [i, { rooms, cost }] of spare.entries()) {
    const [a, b] = rooms;
    const usual = day(a) && day(b) ? 0.45 + 0.35 * openness : cost < 4 ? 0.15 : 0;
    if (random.uniform() < (looped && i === 0 ? 1 : usual)) pairs.push([a, b]);
  }
  return pairs.flatMap(([a, b]): Opening[] => {
    const segment = longest.get(a * kinds.length + b);
    if (!segment) return [];
    const wall = (segment.to - segment.from) / 10 - 0.12;
    const open = day(a) && day(b) && random.uniform() < 0.25 + 0.65 * openness;
    const wide = open && wall >= 1.9;
    const most = Math.min(wall - 0.5, openness > 0.7 ? 3.2 : 2);
    const widthM = cm(
      wide ? 1.3 + (most - 1.3) * random.uniform() : 0.82 + 0.16 * random.uniform(),
    );
    // Doors are usually near a corner, wide openings in the middle.
    const slack = wall - widthM;
    const share = wide
      ? 0.5
      : random.uniform() < 0.7
        ? Math.min(0.5, 0.28 / slack)
        : 0.3 + 0.2 * random.uniform();
    const offset = slack * (random.uniform() < 0.5 ? share : 1 - share);
    const from = cm(segment.from / 10 + 0.06 + offset);
    const heightsM = [0, wide ? cm(2.1 + 0.2 * random.uniform()) : DOOR_M] as const;
    return [openingIn(segment, wide ? "arch" : "door", from, widthM, heightsM)];
  });
}

interface WindowRules {
  readonly widthM: readonly [number, number];
  readonly sillM: readonly [number, number];
  readonly topM: number;
  readonly chance: number;
}

const WINDOWS: Readonly<Record<RoomKind, WindowRules>> = {
  living_room: { widthM: [1.4, 2.2], sillM: [0.35, 0.85], topM: 2.2, chance: 1 },
  dining_room: { widthM: [1.2, 1.8], sillM: [0.45, 0.9], topM: 2.15, chance: 1 },
  bedroom: { widthM: [1.1, 1.6], sillM: [0.9, 1.0], topM: 2.15, chance: 1 },
  office: { widthM: [1.0, 1.5], sillM: [0.85, 0.95], topM: 2.1, chance: 1 },
  kitchen: { widthM: [1.0, 1.4], sillM: [1.05, 1.1], topM: 2.1, chance: 1 },
  bathroom: { widthM: [0.55, 0.7], sillM: [1.35, 1.45], topM: 2.05, chance: 0.8 },
  corridor: { widthM: [0.7, 0.9], sillM: [0.95, 1.1], topM: 2.1, chance: 0.45 },
  laundry: { widthM: [0.55, 0.7], sillM: [1.4, 1.45], topM: 2.05, chance: 0.5 },
  storage: { widthM: [0.5, 0.6], sillM: [1.5, 1.55], topM: 2.0, chance: 0.2 },
};

/** The front door, and windows in the outer walls of rooms. */
export function drawOuterOpenings(
  random: Random,
  kinds: readonly RoomKind[],
  segments: readonly Segment[],
): Opening[] {
  const out: Opening[] = [];
  const outer = segments.filter((s) => s.rooms[1] < 0);
  for (const wanted of ["corridor", "living_room", "dining_room", "kitchen"] as const) {
    const walls = outer.filter((s) => kinds[s.rooms[0]] === wanted && s.to - s.from >= 13);
    if (walls.length === 0) continue;
    const wall = random.pick(walls);
    const slack = (wall.to - wall.from) / 10 - 0.12 - 0.95;
    const from = cm(wall.from / 10 + 0.06 + slack * random.pick([0.5, 0.2, 0.8]));
    out.push(openingIn(wall, "entrance", from, 0.95, [0, DOOR_M]));
    break;
  }
  const entrance = out[0];
  for (const wall of outer) {
    const rules = WINDOWS[kinds[wall.rooms[0]] ?? "storage"];
    const clear = (wall.to - wall.from) / 10 - 0.12;
    const here = entrance && entrance.axis === wall.axis && entrance.at === wall.at / 10;
    if (here && entrance.from >= wall.from / 10 && entrance.to <= wall.to / 10) continue;
    if (clear < rules.widthM[0] + 0.4 || random.uniform() >= rules.chance) continue;
    const count = Math.max(1, Math.floor(clear / 3.3));
    const bay = clear / count;
    const sill = cm(rules.sillM[0] + (rules.sillM[1] - rules.sillM[0]) * random.uniform());
    const most = Math.min(rules.widthM[1], bay - 0.4);
    const widthM = cm(rules.widthM[0] + (most - rules.widthM[0]) * random.uniform());
    for (let i = 0; i < count; i++) {
      const from = cm(wall.from / 10 + 0.06 + bay * (i + 0.5) - widthM / 2);
      out.push(openingIn(wall, "window", from, widthM, [sill, rules.topM]));
    }
  }
  return out;
}
