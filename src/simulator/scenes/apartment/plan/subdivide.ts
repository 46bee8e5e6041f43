import type { Random } from "../../../../core/math/random.js";
import type { DraftRoom, Rect, RoomWish } from "./types.js";

export const width = (r: Rect): number => r.x1 - r.x0;
export const depth = (r: Rect): number => r.z1 - r.z0;

function total(wishes: readonly RoomWish[]): number {
  return wishes.reduce((sum, wish) => sum + wish.areaM2, 0);
}

/**
 * Cuts a rectangle into one room a wish, areas in the ratio of the wishes: a treemap whose cuts go
 * across the longer side (Marson and Musse 2010 use a squarified one for houses).
 */
export function subdivide(random: Random, rect: Rect, wishes: readonly RoomWish[]): DraftRoom[] {
  const first = wishes[0];
  if (!first) return [];
  if (wishes.length === 1) return [{ kind: first.kind, rects: [rect] }];
  const sum = total(wishes);
  // Cut where the two sides come out most alike, or one room away from it.
  let cut = 1;
  let best = Number.POSITIVE_INFINITY;
  for (let i = 1; i < wishes.length; i++) {
    const miss = Math.abs(total(wishes.slice(0, i)) / sum - 0.5) + 0.12 * random.uniform();
    if (miss < best) {
      best = miss;
      cut = i;
    }
  }
  const [before, after] = [wishes.slice(0, cut), wishes.slice(cut)];
  const share = total(before) / sum;
  const [w, d] = [width(rect), depth(rect)];
  const across = w * (0.85 + 0.3 * random.uniform()) > d;
  if (across) {
    const x = rect.x0 + Math.round(w * share);
    return [
      ...subdivide(random, { ...rect, x1: x }, before),
      ...subdivide(random, { ...rect, x0: x }, after),
    ];
  }
  const z = rect.z0 + Math.round(d * share);
  return [
    ...subdivide(random, { ...rect, z1: z }, before),
    ...subdivide(random, { ...rect, z0: z }, after),
  ];
}

/**
 * Deals wishes out to regions, the largest first, each to where most room is left. Undefined where a
 * region goes without.
 */
export function deal(
  random: Random,
  regions: readonly Rect[],
  wishes: readonly RoomWish[],
): DraftRoom[] | undefined {
  const left = regions.map((r) => (width(r) * depth(r)) / 100);
  const hands = regions.map((): RoomWish[] => []);
  for (const wish of wishes.slice().sort((a, b) => b.areaM2 - a.areaM2)) {
    let most = 0;
    for (const [i, area] of left.entries()) if (area > (left[most] ?? 0)) most = i;
    hands[most]?.push(wish);
    left[most] = (left[most] ?? 0) - wish.areaM2;
  }
  if (hands.some((hand) => hand.length === 0)) return undefined;
  return regions.flatMap((region, i) => subdivide(random, region, random.shuffle(hands[i] ?? [])));
}
