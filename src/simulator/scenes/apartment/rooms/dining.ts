import { sideboard } from "../furniture/cabinets.js";
import { rug } from "../furniture/decor.js";
import { ceilingLamp } from "../furniture/lights.js";
import { alone, type Group, type Item } from "../furniture/piece.js";
import { smallPlant } from "../furniture/plants.js";
import { chair } from "../furniture/seating.js";
import { diningTable, roundTable } from "../furniture/tables.js";
import { middleOf } from "../shell/geometry.js";
import { RUGS } from "../textures/pictures.js";
import type { Furnishing } from "./furnish.js";

/** A table with chairs around it, at random distances. */
export function tableWithChairs(f: Furnishing, seats: 2 | 4 | 6): Group {
  const { random, look } = f;
  const cloth = random.pick(look.cushions);
  const one = chair(random, look, cloth);
  const round = seats === 4 && random.uniform() < 0.4;
  const [w, d] = seats === 6 ? [1.7, 0.9] : seats === 4 ? [1.2, 0.8] : [0.8, 0.75];
  const table = round ? roundTable(look, 1.05) : diningTable(random, look, w, d);
  const items: Item[] = [{ piece: table, x: 0, z: 0 }];
  const place = (x: number, z: number, turn: number) => {
    // The seat stays outside the table top, so that bounding boxes do not overlap.
    const out = 0.24 + 0.02 + 0.08 * random.uniform();
    items.push({
      piece: one,
      x: x - out * Math.sin(turn),
      z: z - out * Math.cos(turn),
      turn,
      optional: true,
    });
  };
  const [a, c] = [table.w / 2, table.d / 2];
  if (round || seats === 2) {
    place(0, c, Math.PI);
    place(0, -c, 0);
    if (round) {
      place(a, 0, -Math.PI / 2);
      place(-a, 0, Math.PI / 2);
    }
  } else {
    const step = seats === 6 ? [-0.55, 0, 0.55] : [-0.3, 0.3];
    for (const x of step) {
      place(x, c, Math.PI);
      place(x, -c, 0);
    }
  }
  if (random.uniform() < 0.6)
    items.push({ piece: smallPlant(random, look), x: 0.1, z: 0, y: table.h });
  return { items };
}

export function furnishDiningRoom(f: Furnishing): void {
  const { random, look, space, heightM } = f;
  const [x, z] = middleOf(space.shell);
  const turns = random.uniform() < 0.5 ? [0, Math.PI / 2] : [Math.PI / 2, 0];
  for (const seats of space.shell.areaM2 > 11 ? ([6, 4, 2] as const) : ([4, 2] as const)) {
    const group = tableWithChairs(f, seats);
    const carpet: Item[] =
      seats === 6 && random.uniform() < 0.5
        ? [{ piece: rug(random, look, 2.6, 2.2, random.pick(RUGS)), x: 0, z: 0, optional: true }]
        : [];
    const site = space.near({ items: [...carpet, ...group.items] }, x, z, turns);
    if (!site) continue;
    const lamp = ceilingLamp(random, look, "pendant");
    const [lx, , lz] = site.pose.at;
    space.hang(lamp, { at: [lx, heightM - lamp.h, lz], turnRad: 0 });
    break;
  }
  const board = sideboard(random, look, random.pick([1.6, 1.2]), 0.42, 0.8);
  const site = space.against(alone(board, 0.4), { prefer: "centre" });
  if (site && random.uniform() < 0.6) {
    space.putOn(site, smallPlant(random, look));
  }
}
