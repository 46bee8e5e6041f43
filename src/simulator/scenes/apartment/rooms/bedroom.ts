import { bed } from "../furniture/beds.js";
import { bookcase, wardrobe } from "../furniture/cabinets.js";
import { mirror, rug, television } from "../furniture/decor.js";
import { drawers } from "../furniture/drawers.js";
import { tableLamp } from "../furniture/lights.js";
import { alone, type Group, type Item } from "../furniture/piece.js";
import { plant } from "../furniture/plants.js";
import { armchair, chair } from "../furniture/seating.js";
import { nightstand } from "../furniture/tables.js";
import { alongWall } from "../shell/geometry.js";
import { RUGS } from "../textures/pictures.js";
import type { Furnishing } from "./furnish.js";
import { deskGroup } from "./office.js";

function bedGroup(f: Furnishing, wide: number): Group {
  const { random, look } = f;
  const sleeper = bed(random, look, wide);
  const items: Item[] = [];
  if (random.uniform() < 0.55) {
    const pattern = random.pick(RUGS);
    items.push({
      piece: rug(random, look, wide + 1.1, 1.5, pattern),
      x: 0,
      z: 1.6,
      optional: true,
    });
  }
  items.push({ piece: sleeper, x: 0, z: sleeper.d / 2 + 0.02 });
  for (const side of wide > 1.2 ? [-1, 1] : [random.uniform() < 0.5 ? -1 : 1]) {
    const table = nightstand(look);
    const x = side * (wide / 2 + table.w / 2 + 0.05);
    items.push({ piece: table, x, z: table.d / 2 + 0.02, optional: true });
  }
  return { items };
}

/** A single bed with its side against the wall and its head at either end. */
function bedAlong({ random, look }: Furnishing, head: 1 | -1): Group {
  const piece = bed(random, look, 0.9);
  return { items: [{ piece, x: 0, z: piece.w / 2 + 0.03, turn: (head * Math.PI) / 2 }] };
}

export function furnishBedroom(f: Furnishing): void {
  const { random, look, space } = f;
  const area = space.shell.areaM2;
  const walls = random
    .shuffle(space.shell.walls)
    .sort((a, b) => Math.sign(b.length - a.length - 0.8));
  const wide = area > 11 ? random.pick([1.4, 1.6, 1.8]) : random.pick([0.95, 1.4]);
  const slept =
    space.against(bedGroup(f, wide), { prefer: "centre", walls }) ??
    space.against(bedGroup(f, Math.min(wide, 1.4)), { prefer: "corner", walls, must: true }) ??
    space.against(bedGroup(f, 0.95), { prefer: "corner", walls, must: true }) ??
    space.against(bedAlong(f, 1), { prefer: "corner", walls, must: true }) ??
    space.against(bedAlong(f, -1), { prefer: "corner", walls, must: true });
  for (const { piece, pose } of slept?.placed ?? []) {
    if (piece.category !== "nightstand" || random.uniform() < 0.2) continue;
    space.hang(tableLamp(random, look), { at: [pose.at[0], piece.h, pose.at[2]], turnRad: 0 });
  }
  for (const w of area > 13 ? [2.0, 1.5, 1.0, 0.8] : [1.5, 1.0, 0.8]) {
    const piece = wardrobe(random, look, w);
    if (space.against(alone(piece, 0.5), { prefer: "corner", must: true })) break;
  }
  const u = random.uniform();
  if (u < 0.4) {
    space.against(deskGroup(f, 1.2, "landscape"), { prefer: "any" });
  } else if (u < 0.75) {
    const chest = drawers(random, look);
    const site = space.against(alone(chest, 0.5), { prefer: "any" });
    const [x, , z] = site?.placed[0]?.pose.at ?? [0, 0, 0];
    const turnRad = site?.pose.turnRad ?? 0;
    if (site?.wall && random.uniform() < 0.45) {
      space.putOn(site, television(look, 0.9, "news"), turnRad);
    } else if (site?.wall) {
      const back = chest.d / 2;
      const at = [x - site.wall.normal[0] * back, 1.1, z - site.wall.normal[1] * back] as const;
      const s = alongWall(site.wall, x, z);
      if (space.wallIsFree(site.wall, s - 0.35, s + 0.35, 1.1, 1.95)) {
        space.hang(mirror(look, 0.7, 0.85), { at, turnRad });
      }
    }
  }
  if (area > 15 && random.uniform() < 0.5) {
    space.against(alone(bookcase(random, look, 0.9, 1.9), 0.45), { prefer: "any" });
  }
  if (area > 12 && random.uniform() < 0.5) {
    const seat =
      random.uniform() < 0.5
        ? armchair(random, look, random.pick(look.cushions))
        : chair(random, look, random.pick(look.cushions));
    space.against(alone(seat, 0.3), { prefer: "corner" });
  }
  if (random.uniform() < 0.4) space.against(alone(plant(random, look), 0), { prefer: "corner" });
}
