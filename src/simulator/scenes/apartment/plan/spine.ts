import type { Random } from "../../../../core/math/random.js";
import { distribute, total } from "./subdivide.js";
import type { DraftRoom, Rect, RoomRequest } from "./types.js";

interface Wing {
  /** -1 to the north (smaller z), +1 to the south. */
  readonly side: -1 | 1;
  /** Position along the main wing, 0 to 1. */
  readonly place: number;
}

const SHAPES: readonly (readonly Wing[])[] = [
  [],
  [],
  [],
  [{ side: -1, place: 0 }],
  [{ side: 1, place: 1 }],
  [{ side: -1, place: 0.5 }],
  [
    { side: -1, place: 0 },
    { side: -1, place: 1 },
  ],
  [
    { side: -1, place: 0 },
    { side: 1, place: 1 },
  ],
];

/**
 * Rooms along a corridor. Side wings have corridors that branch off the main one, which gives I, L, T, U and
 * Z shapes. A corridor may end before the wing does, so that the last room has the full depth. Decimetres;
 * undefined if the drawn dimensions are incompatible.
 */
export function drawSpine(
  random: Random,
  requests: readonly RoomRequest[],
  variant: number,
): DraftRoom[] | undefined {
  const between = (low: number, high: number) => low + random.below(high - low + 1);
  const area = total(requests) * 100;
  const wings =
    (requests.length < 5 ? undefined : SHAPES[Math.floor(variant * SHAPES.length)]) ?? [];
  const hall = between(14, 17);
  const oneSided = requests.length < 6 && random.uniform() < 0.4;
  const north = oneSided ? 0 : between(31, 44);
  const south = between(oneSided ? 38 : 32, 46);
  if (wings.some((wing) => wing.side === -1) && north === 0) return undefined;

  const share = wings.length === 0 ? 0 : (0.22 + 0.2 * random.uniform()) * wings.length;
  const cross = wings.map(() => {
    const [left, right] = [between(28, 40), between(28, 40)];
    const shallow = (area * share) / wings.length / (left + right) < Math.max(north, south) + 24;
    if (!shallow && random.uniform() < 0.6) return { left, right };
    return random.uniform() < 0.5 ? { left, right: 0 } : { left: 0, right };
  });
  const wingWidth = cross.map((c) => c.left + hall + c.right);
  const beside = (side: -1 | 1) =>
    wings.reduce((sum, wing, i) => sum + (wing.side === side ? (wingWidth[i] ?? 0) : 0), 0);
  const end = random.uniform() < 0.45 ? between(34, 44) : 0;
  let length = Math.round(
    (area * (1 - share) + beside(-1) * north + beside(1) * south - end * hall) / (north + south),
  );
  // A strip next to a wing that is too narrow for a room is added to the wing.
  for (const side of [-1, 1] as const) {
    const rest = length - beside(side);
    if (beside(side) > 0 && rest < 26 * wings.length) length = beside(side) + 28 * wings.length;
  }
  if (length < 45 || length > 260) return undefined;

  const regions: Rect[] = [];
  const halls: Rect[] = [{ x0: 0, z0: 0, x1: length - end, z1: hall }];
  const taken: { side: -1 | 1; x0: number; x1: number }[] = [];
  if (end > 0) regions.push({ x0: length - end, z0: -north, x1: length, z1: hall + south });
  for (const [i, wing] of wings.entries()) {
    const { left, right } = cross[i] ?? { left: 0, right: 0 };
    const strip = wing.side === -1 ? north : south;
    const reach = Math.round((area * share) / wings.length / (left + right));
    if (reach < strip + 24 || reach > 140) return undefined;
    const room = length - end - left - hall - right;
    if (room < 0) return undefined;
    const x0 = Math.round(room * wing.place);
    const stop = random.uniform() < 0.5 ? 0 : between(30, 38);
    if (reach - stop < strip) return undefined;
    const span = (from: number, to: number, near: number, far: number): Rect =>
      wing.side === -1
        ? { x0: from, z0: -far, x1: to, z1: -near }
        : { x0: from, z0: hall + near, x1: to, z1: hall + far };
    if (left > 0) regions.push(span(x0, x0 + left, 0, reach - stop));
    if (right > 0) {
      regions.push(span(x0 + left + hall, x0 + left + hall + right, 0, reach - stop));
    }
    halls.push(span(x0 + left, x0 + left + hall, 0, reach - stop));
    if (stop > 0) regions.push(span(x0, x0 + left + hall + right, reach - stop, reach));
    taken.push({ side: wing.side, x0, x1: x0 + left + hall + right });
  }
  for (const side of [-1, 1] as const) {
    const strip = side === -1 ? north : south;
    if (strip === 0) continue;
    let x = 0;
    const stops = taken.filter((t) => t.side === side).sort((a, b) => a.x0 - b.x0);
    for (const t of [...stops, { x0: length - end, x1: length - end }]) {
      if (t.x0 - x > 0 && t.x0 - x < 20) return undefined;
      if (t.x0 > x) {
        regions.push(
          side === -1
            ? { x0: x, z0: -strip, x1: t.x0, z1: 0 }
            : { x0: x, z0: hall, x1: t.x0, z1: hall + strip },
        );
      }
      x = t.x1;
    }
  }
  if (regions.length > requests.length) return undefined;
  const rooms = distribute(random, regions, requests);
  return rooms && [{ kind: "corridor", rects: halls, fixed: true }, ...rooms];
}
