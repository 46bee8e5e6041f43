import type { EpisodeEvent } from "../../../../src/server/view/documents.js";

/** An event, or several of the same kind that are too close to be drawn separately. */
export interface Mark {
  readonly kind: EpisodeEvent["kind"];
  readonly index: number;
  readonly text: string;
  readonly count: number;
  /** Position in percent. */
  readonly left: number;
  /** The row of its label; null if no row is free. */
  readonly row: number | null;
}

interface Timeline {
  readonly events: readonly EpisodeEvent[];
  /** The record index of a step. */
  readonly indexOf: (step: number) => number;
  readonly end: number;
  readonly width: number;
  readonly nameOf: (event: EpisodeEvent) => string;
}

const ROWS = 2;
/** Slightly more than the width of a letter, in pixels. */
const LETTER = 7;
const NEAR_PX = 9;

export function marksOf({ events, indexOf, end, width, nameOf }: Timeline): Mark[] {
  const free = Array.from({ length: ROWS }, () => Number.NEGATIVE_INFINITY);
  const marks: Mark[] = [];
  for (const { event, count } of merged(events, indexOf, end, width)) {
    const index = indexOf(event.step);
    const name = nameOf(event);
    const text = count > 1 ? `${name} ×${count}` : name;
    const left = end > 0 ? index / end : 0;
    const half = (wide(text) * LETTER) / 2 + 6;
    // Labels at the ends are shifted inwards.
    const from = Math.min(Math.max(left * width - half, 0), Math.max(0, width - 2 * half));
    const row = free.findIndex((taken) => taken <= from);
    if (row >= 0) free[row] = from + 2 * half;
    marks.push({
      kind: event.kind,
      index,
      text,
      count,
      left: left * 100,
      row: row < 0 ? null : row,
    });
  }
  return marks;
}

function merged(
  events: readonly EpisodeEvent[],
  indexOf: (step: number) => number,
  end: number,
  width: number,
): { event: EpisodeEvent; count: number }[] {
  const near = end > 0 ? (NEAR_PX / Math.max(width, 1)) * end : 0;
  const out: { event: EpisodeEvent; count: number; last: number }[] = [];
  for (const event of [...events].sort((a, b) => a.step - b.step)) {
    const index = indexOf(event.step);
    const same = out.findLast((one) => one.event.kind === event.kind);
    if (event.kind === "collision" && same && index - same.last <= near) {
      same.count += 1;
      same.last = index;
    } else out.push({ event, count: 1, last: index });
  }
  return out;
}

/** The width in letters; Chinese characters count twice. */
function wide(text: string): number {
  return [...text].reduce((sum, letter) => sum + (letter > "\u2e80" ? 1.9 : 1), 0);
}
