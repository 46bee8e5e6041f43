import { bookcase } from "../furniture/cabinets.js";
import { keyboard, rug, television } from "../furniture/decor.js";
import { floorLamp, tableLamp } from "../furniture/lights.js";
import { alone, type Group, type Item, single } from "../furniture/piece.js";
import { plant } from "../furniture/plants.js";
import { armchair, couch, officeChair } from "../furniture/seating.js";
import { desk } from "../furniture/tables.js";
import { middleOf } from "../shell/geometry.js";
import { RUGS, type Screen } from "../textures/pictures.js";
import type { Furnishing } from "./furnish.js";

/** A desk against the wall with a chair, a monitor and a lamp. */
export function deskGroup(f: Furnishing, w: number, shown: Screen): Group {
  const { random, look } = f;
  const table = desk(look, w);
  const z = table.d / 2 + 0.02;
  const seat = officeChair(look, random.pick([look.black, look.sofa, ...look.cushions]));
  const items: Item[] = [
    { piece: table, x: 0, z },
    { piece: television(look, 0.58, shown), x: -0.08, z: z - 0.12, y: table.h },
    { piece: keyboard(look), x: -0.08, z: z + 0.16, y: table.h },
    { piece: seat, x: -0.1, z: table.d + 0.02 + 0.31, turn: Math.PI },
  ];
  if (random.uniform() < 0.6) {
    items.push({ piece: tableLamp(random, look), x: w / 2 - 0.16, z: z - 0.15, y: table.h });
  }
  return { items, useM: 0.3 };
}

export function furnishOffice(f: Furnishing): void {
  const { random, look, space } = f;
  space.against(deskGroup(f, random.pick([1.4, 1.6]), "desktop"), { prefer: "centre" });
  for (const w of [1.6, 0.9]) {
    if (space.against(alone(bookcase(random, look, w, 1.9), 0.45), { prefer: "any" })) break;
  }
  const area = space.shell.areaM2;
  if (area > 10 && random.uniform() < 0.55) {
    space.against(alone(couch(random, look, 1.5), 0.5), { prefer: "centre" });
  } else if (random.uniform() < 0.5) {
    space.against(alone(armchair(random, look, look.sofa), 0.4), { prefer: "corner" });
  }
  if (random.uniform() < 0.6) space.against(alone(plant(random, look), 0), { prefer: "corner" });
  if (random.uniform() < 0.4)
    space.against(alone(floorLamp(random, look), 0), { prefer: "corner" });
  if (random.uniform() < 0.5) {
    const [x, z] = middleOf(space.shell);
    space.near(single(rug(random, look, 1.7, 1.2, random.pick(RUGS))), x, z, [0, Math.PI / 2]);
  }
}
