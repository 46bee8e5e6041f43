import type { Random } from "../../../../core/math/random.js";
import type { DraftRoom, Rect, RoomRequest } from "./types.js";

export const width = (r: Rect): number => r.x1 - r.x0;
export const depth = (r: Rect): number => r.z1 - r.z0;

export function total(requests: readonly RoomRequest[]): number {
  return requests.reduce((sum, request) => sum + request.areaM2, 0);
}

/**
 * Subdivides a rectangle into one room per request, with areas in the requested ratio: a treemap cut across
 * the longer side (Marson and Musse 2010 use a squarified one for houses).
 */
export function subdivide(
  random: Random,
  rect: Rect,
  requests: readonly RoomRequest[],
): DraftRoom[] {
  const first = requests[0];
  if (!first) return [];
  if (requests.length === 1) return [{ kind: first.kind, rects: [rect] }];
  const sum = total(requests);
  // Cut where the two sides are most equal, or one room away from it.
  let cut = 1;
  let best = Number.POSITIVE_INFINITY;
  for (let i = 1; i < requests.length; i++) {
    const miss = Math.abs(total(requests.slice(0, i)) / sum - 0.5) + 0.12 * random.uniform();
    if (miss < best) {
      best = miss;
      cut = i;
    }
  }
  const [before, after] = [requests.slice(0, cut), requests.slice(cut)];
  const share = total(before) / sum;
  const [w, d] = [width(rect), depth(rect)];
  const across = w * (0.85 + 0.3 * random.uniform()) > d;
  const [x, z] = [rect.x0 + Math.round(w * share), rect.z0 + Math.round(d * share)];
  return [
    ...subdivide(random, { ...rect, ...(across ? { x1: x } : { z1: z }) }, before),
    ...subdivide(random, { ...rect, ...(across ? { x0: x } : { z0: z }) }, after),
  ];
}

/**
 * Distributes requests to regions, the largest first, each to the region with most area left. Undefined if a
 * region gets none.
 */
export function distribute(
  random: Random,
  regions: readonly Rect[],
  requests: readonly RoomRequest[],
): DraftRoom[] | undefined {
  const left = regions.map((r) => (width(r) * depth(r)) / 100);
  const assigned = regions.map((): RoomRequest[] => []);
  for (const request of requests.slice().sort((a, b) => b.areaM2 - a.areaM2)) {
    let most = 0;
    for (const [i, area] of left.entries()) if (area > (left[most] ?? 0)) most = i;
    assigned[most]?.push(request);
    left[most] = (left[most] ?? 0) - request.areaM2;
  }
  if (assigned.some((own) => own.length === 0)) return undefined;
  return regions.flatMap((region, i) =>
    subdivide(random, region, random.shuffle(assigned[i] ?? [])),
  );
}
