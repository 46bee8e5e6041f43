import { longestShared, type Segment } from "./adjacency.js";
import { type DoorTree, doorTree } from "./doors.js";
import { KIND_RULES } from "./program.js";
import { areaM2, type DraftRoom, type RoomKind } from "./types.js";

/** A door, its frame and a small margin of wall on either side, in decimetres. */
export const DOOR_WALL_DM = 14;

const NEEDS_WINDOW: ReadonlySet<RoomKind> = new Set([
  "living_room",
  "bedroom",
  "kitchen",
  "dining_room",
  "office",
]);

/** Plans whose rooms have a larger total misfit are rejected, however good their doors are. */
const MAX_MISFIT = 6;

interface Site {
  readonly area: number;
  /** Shortest side of its rectangles between the wall faces, in metres. */
  readonly side: number;
  readonly aspect: number;
  readonly outerDm: number;
}

export interface Assignment {
  readonly kinds: readonly RoomKind[];
  readonly tree: DoorTree;
  readonly score: number;
}

function misfit(kind: RoomKind, site: Site, fixed: boolean): number {
  if (fixed) return 0;
  const rules = KIND_RULES[kind];
  const [low, high] = rules.allowedM2;
  let bad = 0;
  if (site.area < low) bad += 6 + (10 * (low - site.area)) / low;
  if (site.area > high) bad += 3 + (10 * (site.area - high)) / high;
  if (site.side < rules.sideM) bad += 8 + 20 * (rules.sideM - site.side);
  if (site.aspect > 2.1) bad += 4 * (site.aspect - 2.1);
  if (NEEDS_WINDOW.has(kind) && site.outerDm < 18) bad += 5;
  return bad;
}

/** Penalty for corridors with fewer than three doors. */
function idleHalls(kinds: readonly RoomKind[], tree: DoorTree): number {
  let bad = 0;
  for (const [i, kind] of kinds.entries()) {
    if (kind !== "corridor") continue;
    const doors = tree.pairs.filter(([a, b]) => a === i || b === i).length;
    if (doors < 3) bad += 3 * (3 - doors);
  }
  return bad;
}

/**
 * Assigns kinds to the rooms of a draft: starts from the requested kinds and swaps them as long as the score
 * improves. Undefined if no assignment makes every room reachable.
 */
export function assignKinds(
  rooms: readonly DraftRoom[],
  segments: readonly Segment[],
): Assignment | undefined {
  const count = rooms.length;
  const touching = new Uint8Array(count * count);
  for (const { from, to, rooms: pair } of longestShared(segments, count).values()) {
    if (to - from < DOOR_WALL_DM) continue;
    touching[pair[0] * count + pair[1]] = 1;
    touching[pair[1] * count + pair[0]] = 1;
  }
  const sites = rooms.map((room, i): Site => {
    const sides = room.rects.map((r) => [r.x1 - r.x0, r.z1 - r.z0] as const);
    return {
      area: areaM2(room.rects),
      side: Math.min(...sides.flat()) / 10 - 0.12,
      aspect: Math.max(...sides.map(([w, d]) => Math.max(w / d, d / w))),
      outerDm: Math.max(
        0,
        ...segments.filter((s) => s.rooms[0] === i && s.rooms[1] < 0).map((s) => s.to - s.from),
      ),
    };
  });
  const table = sites.map((site, i) => {
    const fixed = rooms[i]?.fixed === true;
    return new Map(rooms.map((room) => [room.kind, misfit(room.kind, site, fixed)]));
  });
  // Detects rooms that suit no kind before any assignment is tried.
  const least = table.reduce((sum, row) => sum + Math.min(...row.values()), 0);
  if (least > MAX_MISFIT) return undefined;
  const evaluate = (kinds: readonly RoomKind[]): { score: number; tree?: DoorTree } => {
    const tree = doorTree(kinds, touching);
    let score = tree ? tree.cost + idleHalls(kinds, tree) : 200;
    for (const [i, row] of table.entries()) score += row.get(kinds[i] ?? "storage") ?? 0;
    return tree ? { score, tree } : { score };
  };
  const kinds = rooms.map((room) => room.kind);
  let best = evaluate(kinds);
  for (let improved = true; improved; ) {
    improved = false;
    for (let i = 0; i < kinds.length; i++) {
      for (let j = i + 1; j < kinds.length; j++) {
        const [a, b] = [kinds[i], kinds[j]];
        if (!a || !b || a === b || rooms[i]?.fixed || rooms[j]?.fixed) continue;
        kinds[i] = b;
        kinds[j] = a;
        const now = evaluate(kinds);
        if (now.score < best.score - 1e-9) {
          best = now;
          improved = true;
        } else {
          kinds[i] = a;
          kinds[j] = b;
        }
      }
    }
  }
  return best.tree ? { kinds, tree: best.tree, score: best.score } : undefined;
}
