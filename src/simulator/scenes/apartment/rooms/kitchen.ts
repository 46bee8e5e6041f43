import { bin, counter, fridge, hood, sinkUnit, stove, wallCabinet } from "../furniture/kitchen.js";
import { alone, type Group, type Item, type Piece } from "../furniture/piece.js";
import type { Site } from "../placement/room-space.js";
import { alongWall, middleOf, type WallSide } from "../shell/geometry.js";
import { tableWithChairs } from "./dining.js";
import type { Furnishing } from "./furnish.js";

/** Pieces side by side along a wall, centred at x = 0. */
function row(pieces: readonly Piece[]): Group {
  const total = pieces.reduce((sum, p) => sum + p.w, 0);
  let x = -total / 2;
  const items = pieces.map((piece): Item => {
    const at = x + piece.w / 2;
    x += piece.w;
    return { piece, x: at, z: piece.d / 2 + 0.02 };
  });
  return { items, useM: 0.65 };
}

/** Hangs cupboards above a row, except in front of a window, and a hood above the stove. */
function hangAbove({ space, look }: Furnishing, wall: WallSide, site: Site): void {
  for (const { piece, pose } of site.placed) {
    if (piece.category === "fridge") continue;
    const s = alongWall(wall, pose.at[0], pose.at[2]);
    const up = piece.category === "stove" ? hood(look) : wallCabinet(look, piece.w);
    const y = piece.category === "stove" ? 1.6 : 1.45;
    if (!space.wallIsFree(wall, s - up.w / 2, s + up.w / 2, y, y + up.h)) continue;
    const off = up.d / 2 + 0.01 - piece.d / 2 - 0.02;
    const at = [pose.at[0] + wall.normal[0] * off, y, pose.at[2] + wall.normal[1] * off] as const;
    space.hang(up, { at, turnRad: pose.turnRad });
  }
}

/** Places the main row, as long as a wall allows; returns true if it fits. */
export function placeKitchenRow(f: Furnishing, longest: number): boolean {
  const { random, look, space } = f;
  const walls = space.shell.walls.slice().sort((a, b) => b.length - a.length);
  for (const length of [4.4, 3.8, 3.2, 2.65, 2.05]) {
    if (length > longest) continue;
    const rest = length - 0.65 - 0.8 - 0.6;
    const left = Math.max(0, Math.round((rest / 2) * 10) / 10);
    const units = rest < 0.25 ? [] : rest < 0.8 ? [rest] : [left, rest - left];
    const [first, second] = units.map((w) => counter(random, look, w));
    const middle = [sinkUnit(look), first, stove(look), second].filter(
      (unit) => unit !== undefined,
    );
    const inOrder = random.uniform() < 0.5 ? middle : middle.reverse();
    const pieces =
      random.uniform() < 0.5
        ? [fridge(random, look), ...inOrder]
        : [...inOrder, fridge(random, look)];
    const site = space.against(row(pieces), { prefer: "corner", walls });
    if (!site?.wall) continue;
    hangAbove(f, site.wall, site);
    return true;
  }
  return false;
}

export function furnishKitchen(f: Furnishing): void {
  const { random, look, space } = f;
  const placed = placeKitchenRow(f, 0.3 * space.shell.areaM2 + 1.4);
  if (!placed) {
    for (const piece of [stove(look), sinkUnit(look), fridge(random, look)]) {
      space.against(alone(piece, 0.6), { prefer: "corner" });
    }
  }
  // A second, shorter row makes an L-shaped or a galley kitchen.
  if (space.shell.areaM2 > 9 && random.uniform() < 0.6) {
    const w = random.pick([1.8, 1.2]);
    const site = space.against(alone(counter(random, look, w), 0.65), { prefer: "corner" });
    if (site?.wall && random.uniform() < 0.5) hangAbove(f, site.wall, site);
  }
  if (space.shell.areaM2 > 8.5) {
    const [x, z] = middleOf(space.shell);
    const big = space.shell.areaM2 > 13;
    for (const size of big ? ([4, 2] as const) : ([2] as const)) {
      if (space.near(tableWithChairs(f, size), x, z, [0, Math.PI / 2])) break;
    }
  }
  space.against(alone(bin(look), 0.3), { prefer: "corner" });
}
