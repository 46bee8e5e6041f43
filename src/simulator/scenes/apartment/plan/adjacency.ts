import type { Rect, Span } from "./types.js";

/** A straight piece of wall between two rooms, or between a room and the outside (-1). Decimetres. */
export interface Segment extends Span {
  readonly rooms: readonly [number, number];
}

interface Edge extends Span {
  /** +1 if the room lies on the side of larger coordinates. */
  readonly side: 1 | -1;
  readonly room: number;
}

function edges(rect: Rect, room: number): Edge[] {
  const { x0, z0, x1, z1 } = rect;
  return [
    { axis: "x", at: z0, from: x0, to: x1, side: 1, room },
    { axis: "x", at: z1, from: x0, to: x1, side: -1, room },
    { axis: "z", at: x0, from: z0, to: z1, side: 1, room },
    { axis: "z", at: x1, from: z0, to: z1, side: -1, room },
  ];
}

/** All walls of a plan, split into straight pieces with the same rooms on both sides throughout. */
export function wallSegments(rooms: readonly { readonly rects: readonly Rect[] }[]): Segment[] {
  const all = rooms.flatMap((room, i) => room.rects.flatMap((rect) => edges(rect, i)));
  const lines = new Map<string, Edge[]>();
  for (const edge of all) {
    const key = `${edge.axis}${edge.at}`;
    const line = lines.get(key);
    if (line) line.push(edge);
    else lines.set(key, [edge]);
  }
  const out: Segment[] = [];
  for (const line of lines.values()) {
    const stops = [...new Set(line.flatMap((e) => [e.from, e.to]))].sort((a, b) => a - b);
    let open: Segment | undefined;
    for (const [i, from] of stops.slice(0, -1).entries()) {
      const to = stops[i + 1] ?? from;
      const there = line.filter((e) => e.from <= from && e.to >= to);
      const a = there.find((e) => e.side === 1)?.room ?? -1;
      const b = there.find((e) => e.side === -1)?.room ?? -1;
      const first = line[0];
      if (!first || a === b) {
        if (open) out.push(open);
        open = undefined;
        continue;
      }
      const pair: [number, number] = a < 0 || (b >= 0 && b < a) ? [b, a] : [a, b];
      if (open && open.to === from && open.rooms[0] === pair[0] && open.rooms[1] === pair[1]) {
        open = { ...open, to };
      } else {
        if (open) out.push(open);
        open = { axis: first.axis, at: first.at, from, to, rooms: pair };
      }
    }
    if (open) out.push(open);
  }
  return out;
}

/** The longest straight wall that two rooms share, by `a * count + b` with a < b. */
export function longestShared(segments: readonly Segment[], count: number): Map<number, Segment> {
  const best = new Map<number, Segment>();
  for (const segment of segments) {
    const [a, b] = segment.rooms;
    if (b < 0) continue;
    const key = a * count + b;
    const known = best.get(key);
    if (!known || known.to - known.from < segment.to - segment.from) best.set(key, segment);
  }
  return best;
}
