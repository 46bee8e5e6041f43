import { curtains, picture } from "../furniture/decor.js";
import { ceilingLamp } from "../furniture/lights.js";
import type { RoomKind } from "../plan/types.js";
import { wallPose } from "../shell/geometry.js";
import type { Furnishing } from "./furnish.js";

const PICTURES: Readonly<Record<RoomKind, number>> = {
  living_room: 4,
  dining_room: 3,
  bedroom: 2,
  office: 2,
  corridor: 4,
  kitchen: 1,
  bathroom: 0,
  laundry: 0,
  storage: 0,
};
const CURTAINED: ReadonlySet<RoomKind> = new Set([
  "living_room",
  "dining_room",
  "bedroom",
  "office",
]);

/** Adds hanging objects: curtains, pictures and the ceiling lamp. */
export function decorate(kind: RoomKind, f: Furnishing): void {
  if (CURTAINED.has(kind) && f.random.uniform() < 0.8) hangCurtains(f);
  hangPictures(f, PICTURES[kind]);
  hangLamps(kind, f);
}

function hangCurtains({ random, look, space, heightM }: Furnishing): void {
  for (const wall of space.shell.walls) {
    for (const { opening, from, to } of wall.holes) {
      if (opening.kind !== "window") continue;
      const aside = Math.min(0.3, from - 0.05, wall.length - to - 0.05);
      if (aside < 0.12) continue;
      const top = Math.min(heightM - 0.08, opening.topM + 0.14);
      const w = to - from + 2 * aside;
      const freeFrom = (low: number) =>
        space.wallIsFree(wall, from - aside, from - 0.1, low, top) &&
        space.wallIsFree(wall, to + 0.1, to + aside, low, top);
      // Down to the floor if no furniture is in the way, otherwise to just below the sill.
      const long = freeFrom(0.06);
      const bottom = long ? 0.04 : opening.bottomM - 0.1;
      if (!long && !freeFrom(bottom)) continue;
      const pose = wallPose(wall, (from + to) / 2, 0.06, bottom);
      space.hang(curtains(random, look, w, top - bottom), pose);
    }
  }
}

function hangPictures({ random, look, space }: Furnishing, wanted: number): void {
  let left = wanted;
  for (const wall of random.shuffle(space.shell.walls)) {
    if (left <= 0) return;
    if (wall.length < 1.2 || random.uniform() < 0.15) continue;
    const [w, h] = random.pick([
      [0.6, 0.6],
      [0.9, 0.65],
      [0.5, 0.7],
      [1.1, 0.7],
    ] as const);
    for (const u of [0.5, 0.3, 0.7, random.uniform()]) {
      const s = wall.length * u;
      const y = 1.62 - h / 2;
      if (!space.wallIsFree(wall, s - w / 2 - 0.05, s + w / 2 + 0.05, y, y + h)) continue;
      space.hang(picture(random, look, w, h), wallPose(wall, s, 0.016, y));
      left--;
      break;
    }
  }
}

function hangLamps(kind: RoomKind, { random, look, space, heightM }: Furnishing): void {
  if (
    kind === "dining_room" &&
    space.placed.some((p) => p.piece.category === "lamp" && p.pose.at[1] > 1.5)
  )
    return;
  const style =
    kind === "living_room" || kind === "bedroom"
      ? random.pick(["dome", "pendant"] as const)
      : "dome";
  for (const c of space.shell.cells) {
    if ((c.x1 - c.x0) * (c.z1 - c.z0) < 2.2) continue;
    const lamp = ceilingLamp(
      random,
      look,
      style === "pendant" && heightM > 2.65 ? "pendant" : "dome",
    );
    space.hang(lamp, { at: [(c.x0 + c.x1) / 2, heightM - lamp.h, (c.z0 + c.z1) / 2], turnRad: 0 });
  }
}
