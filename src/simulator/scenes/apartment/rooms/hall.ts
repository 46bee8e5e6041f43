import { bookcase, carton, rack, sideboard } from "../furniture/cabinets.js";
import { coatRack, mirror, rug } from "../furniture/decor.js";
import { alone, single } from "../furniture/piece.js";
import { plant, smallPlant } from "../furniture/plants.js";
import { alongWall, wallPose } from "../shell/geometry.js";
import type { Furnishing } from "./furnish.js";

/** Keeps corridors clear: only shallow furniture at the walls and a rug on the floor. */
export function furnishCorridor(f: Furnishing): void {
  const { random, look, space } = f;
  const walls = random.shuffle(space.shell.walls);
  const cabinets = space.shell.areaM2 > 12 ? 2 : 1;
  for (let i = 0; i < cabinets; i++) {
    const chest = sideboard(random, look, random.pick([0.8, 1.1]), 0.3, 0.82);
    const site = space.against(alone(chest, 0.3), { prefer: "any" });
    if (!site?.wall) continue;
    const [x, , z] = site.placed[0]?.pose.at ?? [0, 0, 0];
    const s = alongWall(site.wall, x, z);
    if (space.wallIsFree(site.wall, s - 0.3, s + 0.3, 1.05, 1.85)) {
      space.hang(mirror(look, 0.6, 0.8), wallPose(site.wall, s, 0.017, 1.05));
    }
    if (random.uniform() < 0.5) space.putOn(site, smallPlant(random, look));
  }
  for (const wall of walls) {
    const s = 0.6 + (wall.length - 1.2) * random.uniform();
    if (!space.wallIsFree(wall, s - 0.5, s + 0.5, 0.7, 1.8)) continue;
    space.hang(coatRack(random, look), wallPose(wall, s, 0.08, 0.72));
    break;
  }
  if (random.uniform() < 0.6) space.against(alone(plant(random, look), 0), { prefer: "corner" });
  for (const c of space.shell.cells) {
    const [w, d] = [c.x1 - c.x0, c.z1 - c.z0];
    const long = Math.min(3.2, Math.max(w, d) - 0.9);
    if (long < 1.3 || Math.min(w, d) < 1 || random.uniform() < 0.35) continue;
    const pattern = random.pick(["border", "stripes", "medallion"] as const);
    const runner = rug(random, look, 0.75, long, pattern);
    const at = [(c.x0 + c.x1) / 2, 0, (c.z0 + c.z1) / 2] as const;
    space.at(single(runner), { at, turnRad: w > d ? Math.PI / 2 : 0 });
  }
}

export function furnishStorage(f: Furnishing): void {
  const { random, look, space } = f;
  for (let i = 0; i < 3; i++) {
    const piece =
      random.uniform() < 0.75
        ? rack(random, look, random.pick([0.9, 1.2]))
        : bookcase(random, look, 0.9, 1.9);
    space.against(alone(piece, 0.5), { prefer: "corner" });
  }
  for (let i = 0; i < 3; i++) space.against(alone(carton(random, look), 0.1), { prefer: "corner" });
}
