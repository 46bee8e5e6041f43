import { basin, bathtub, shower, toilet, towelRail, washingMachine } from "../furniture/bath.js";
import { rack } from "../furniture/cabinets.js";
import { mirror, rug } from "../furniture/decor.js";
import { sinkUnit } from "../furniture/kitchen.js";
import { alone, single } from "../furniture/piece.js";
import { smallPlant } from "../furniture/plants.js";
import { stool } from "../furniture/seating.js";
import { alongWall, middleOf, wallPose } from "../shell/geometry.js";
import type { Furnishing } from "./furnish.js";

export function furnishBathroom(f: Furnishing): void {
  const { random, look, space } = f;
  const area = space.shell.areaM2;
  const tub = area > 5.2 && random.uniform() < 0.65;
  const walls = space.shell.walls.slice().sort((a, b) => a.length - b.length);
  if (tub && !space.against(alone(bathtub(look), 0.5), { prefer: "corner", walls })) {
    space.against(alone(bathtub(look), 0.4), { prefer: "corner" });
  }
  if (!tub || area > 8) space.against(alone(shower(random, look), 0.4), { prefer: "corner" });
  space.against(alone(toilet(look), 0.45), { prefer: "any" }) ??
    space.against(alone(toilet(look), 0.3), { prefer: "corner", must: true });
  for (const w of area > 5 ? [0.9, 0.6, 0.45] : [0.6, 0.45]) {
    const sink = basin(random, look, w);
    const site =
      space.against(alone(sink, 0.5), { prefer: "centre" }) ??
      space.against(alone(sink, 0.35), { prefer: "corner", must: true });
    if (!site?.wall) continue;
    const [x, , z] = site.placed[0]?.pose.at ?? [0, 0, 0];
    const { wall } = site;
    const s = alongWall(wall, x, z);
    if (space.wallIsFree(wall, s - 0.3, s + 0.3, 1.2, 1.95)) {
      const back = 0.24;
      const at = [x - wall.normal[0] * back, 1.2, z - wall.normal[1] * back] as const;
      space.hang(mirror(look, Math.min(0.7, w), 0.75), { at, turnRad: site.pose.turnRad });
    }
    break;
  }
  if (area > 6 && random.uniform() < 0.5) {
    space.against(alone(washingMachine(look), 0.5), { prefer: "corner" });
  }
  if (random.uniform() < 0.35) {
    const site = space.against(alone(stool(look), 0.2), { prefer: "corner" });
    if (site) space.putOn(site, smallPlant(random, look));
  }
  for (const wall of random.shuffle(space.shell.walls).slice(0, 3)) {
    const s = 0.4 + (wall.length - 0.8) * random.uniform();
    if (!space.wallIsFree(wall, s - 0.3, s + 0.3, 0.9, 1.6)) continue;
    space.hang(towelRail(random, look), wallPose(wall, s, 0.055, 0.95));
    break;
  }
  const [x, z] = middleOf(space.shell);
  if (random.uniform() < 0.7) {
    space.near(single(rug(random, look, 0.8, 0.5, "plain")), x, z, [0, Math.PI / 2]);
  }
}

export function furnishLaundry(f: Furnishing): void {
  const { random, look, space } = f;
  const machine = washingMachine(look);
  const pair = {
    items: [
      { piece: machine, x: -0.31, z: 0.32 },
      { piece: washingMachine(look), x: 0.31, z: 0.32 },
    ],
    useM: 0.6,
  };
  if (!space.against(pair, { prefer: "corner" }))
    space.against(alone(machine), { prefer: "corner" });
  space.against(alone(sinkUnit(look), 0.5), { prefer: "corner" });
  if (random.uniform() < 0.7)
    space.against(alone(rack(random, look, 0.9), 0.5), { prefer: "corner" });
}
