import type { Random } from "../../../../core/math/random.js";
import { depth, distribute, subdivide, total, width } from "./subdivide.js";
import { type DraftRoom, overlap, type Rect, type RoomRequest } from "./types.js";

/** A rectangle of an area at a random side of another one: flush with one of its ends, or centred. */
function attach(random: Random, to: Rect, areaDm2: number): Rect {
  const side = random.below(4);
  const along = side < 2 ? width(to) : depth(to);
  const span = Math.max(32, Math.round(along * (0.45 + 0.35 * random.uniform())));
  const out = Math.max(24, Math.round(areaDm2 / span));
  const shift = random.pick([0, along - span, Math.round((along - span) / 2)]);
  const x = { x0: to.x0 + shift, x1: to.x0 + shift + span };
  const z = { z0: to.z0 + shift, z1: to.z0 + shift + span };
  if (side === 0) return { ...x, z0: to.z0 - out, z1: to.z0 };
  if (side === 1) return { ...x, z0: to.z1, z1: to.z1 + out };
  if (side === 2) return { ...z, x0: to.x0 - out, x1: to.x0 };
  return { ...z, x0: to.x1, x1: to.x1 + out };
}

/**
 * Rooms that open into one another: one to three adjacent rectangles (a rectangle, an L, a T, a Z or a U),
 * each subdivided into its share of the rooms.
 */
export function drawBlocks(
  random: Random,
  requests: readonly RoomRequest[],
  variant: number,
): DraftRoom[] | undefined {
  const order = random.shuffle(requests);
  const most = requests.length < 5 ? 2 : 3;
  const groups = Math.min(most, variant < 0.35 ? 1 : variant < 0.75 ? 2 : 3);
  const cuts = [0];
  for (let g = 1; g < groups; g++) cuts.push(Math.round((requests.length * g) / groups));
  cuts.push(requests.length);
  const requestGroups = cuts.slice(1).map((to, g) => order.slice(cuts[g], to));
  const areas = requestGroups.map((group) => total(group) * 100);

  const aspect = 0.75 + 0.75 * random.uniform();
  const first = areas[0] ?? 0;
  const w = Math.round(Math.sqrt(first * aspect));
  const rects: Rect[] = [{ x0: 0, z0: 0, x1: w, z1: Math.round(first / w) }];
  for (const area of areas.slice(1)) {
    const next = attach(random, random.pick(rects), area);
    if (rects.some((r) => overlap(r, next))) return undefined;
    rects.push(next);
  }
  return rects.flatMap((rect, i) => subdivide(random, rect, requestGroups[i] ?? []));
}

/**
 * Four arms arranged like a pinwheel around a core that holds the small rooms, so that a path leads all the
 * way round. An arm may be a corridor.
 */
export function drawRing(
  random: Random,
  requests: readonly RoomRequest[],
  passageArm: "none" | "corridor",
): DraftRoom[] | undefined {
  const small = requests.filter((w) => ["bathroom", "storage", "laundry"].includes(w.kind));
  const core = small.slice(0, small.length > 1 && random.uniform() < 0.6 ? 2 : 1);
  const others = requests.filter((request) => !core.includes(request));
  const hallArm = passageArm === "corridor" ? random.below(4) : -1;
  if (core.length === 0 || others.length < (hallArm < 0 ? 4 : 3)) return undefined;
  const hall = 14 + random.below(3);
  const coreArea = total(core) * 100;
  const a = Math.round(Math.sqrt(coreArea * (0.7 + 0.8 * random.uniform())));
  const b = Math.round(coreArea / a);
  const shape = [0, 1, 2, 3].map((arm) => (arm === hallArm ? 0 : 0.8 + 0.45 * random.uniform()));
  const goal = (total(others) + total(core)) * 100;
  // Finds the arm depth for the requested area by bisection.
  let [low, high] = [15, 90];
  let arms: number[] = [];
  for (let i = 0; i < 12; i++) {
    const middle = (low + high) / 2;
    arms = shape.map((s) => (s === 0 ? hall : Math.round(s * middle)));
    const [n = 0, e = 0, s = 0, west = 0] = arms;
    if ((a + west + e) * (b + n + s) > goal * 1.04) high = middle;
    else low = middle;
  }
  const [n = 0, e = 0, s = 0, west = 0] = arms;
  const armRects: Rect[] = [
    { x0: -west, x1: a, z0: -n, z1: 0 },
    { x0: a, x1: a + e, z0: -n, z1: b },
    { x0: 0, x1: a + e, z0: b, z1: b + s },
    { x0: -west, x1: 0, z0: 0, z1: b + s },
  ];
  const passage = armRects[hallArm];
  const rooms = distribute(
    random,
    armRects.filter((rect) => rect !== passage),
    others,
  );
  if (!rooms) return undefined;
  const middle = subdivide(random, { x0: 0, z0: 0, x1: a, z1: b }, core);
  const corridor: DraftRoom[] = passage
    ? [{ kind: "corridor", rects: [passage], fixed: true }]
    : [];
  return [...corridor, ...rooms, ...middle];
}
