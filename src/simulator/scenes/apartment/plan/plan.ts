import { hash53 } from "../../../../core/math/hash.js";
import { Random } from "../../../../core/math/random.js";
import { type Segment, wallSegments } from "./adjacency.js";
import { type Assignment, assignKinds } from "./assign.js";
import { drawBlocks, drawRing } from "./blocks.js";
import { drawDoors, drawOuterOpenings } from "./openings.js";
import { drawProgram, drawRoomCount } from "./program.js";
import { drawSpine } from "./spine.js";
import {
  areaM2,
  type Draft,
  type DraftRoom,
  type Plan,
  type Rect,
  type RoomRequest,
} from "./types.js";

interface Candidate {
  readonly draft: Draft;
  readonly segments: readonly Segment[];
  readonly assignment: Assignment;
  /** Penalty; lower is more realistic. */
  readonly score: number;
}

/** The search stops after this many good candidates and takes the best. */
const GOOD_CANDIDATES = 4;
/** The search also stops after this many valid candidates, even if none is good. */
const VALID_CANDIDATES = 10;
const MAX_TRIES = 500;
const GOOD_PER_ROOM = 2;
/** Gross area between the wall centre lines; the walkable area is about a tenth less. */
const AREA_M2 = [45, 235] as const;
const MAX_EXTENT_DM = 260;

interface Intent {
  readonly count: number;
  readonly style: Draft["style"];
  /**
   * Selects among the shapes of a style, 0 to 1. It is constant over all candidates, so that shapes that are
   * easier to fill do not displace the others.
   */
  readonly variant: number;
}

function drawRooms(random: Random, { count, style, variant }: Intent): DraftRoom[] | undefined {
  if (style === "spine") {
    const requests = withNook(random, drawProgram(random, count - 1, "none"));
    return drawSpine(random, requests, variant);
  }
  if (style === "ring") {
    const passage = variant < 0.6;
    const requests = drawProgram(random, passage ? count - 1 : count, "none");
    return drawRing(random, requests, passage ? "corridor" : "none");
  }
  const hall = count >= 6 && random.uniform() < 0.55;
  const requests = withNook(random, drawProgram(random, count, hall ? "hall" : "none"));
  return drawBlocks(random, requests, variant);
}

/** Makes some living rooms L-shaped: requests two rooms, which `joinNooks` joins afterwards. */
function withNook(random: Random, requests: readonly RoomRequest[]): RoomRequest[] {
  if (requests.length < 3 || random.uniform() < 0.6) return requests.slice();
  return requests.flatMap((request): RoomRequest[] =>
    request.kind === "living_room"
      ? [
          { kind: "living_room", areaM2: request.areaM2 * 0.72 },
          { kind: "living_room", areaM2: request.areaM2 * 0.42 },
        ]
      : [request],
  );
}

/** Joins two living rooms into one; undefined if they share too little wall. */
function joinNooks(rooms: readonly DraftRoom[]): DraftRoom[] | undefined {
  const parts = rooms.filter((room) => room.kind === "living_room");
  const [a, b] = [parts[0]?.rects[0], parts[1]?.rects[0]];
  if (!a || !b) return rooms.slice();
  const overlap = (a0: number, a1: number, b0: number, b1: number) =>
    Math.min(a1, b1) - Math.max(a0, b0);
  const across = overlap(a.x0, a.x1, b.x0, b.x1);
  const along = overlap(a.z0, a.z1, b.z0, b.z1);
  if (!(across === 0 && along >= 22) && !(along === 0 && across >= 22)) return undefined;
  const joined: DraftRoom = { kind: "living_room", rects: [a, b], fixed: true };
  return [joined, ...rooms.filter((room) => room.kind !== "living_room")];
}

function candidate(random: Random, intent: Intent): Candidate | undefined {
  const { count, style } = intent;
  const openness = random.uniform();
  const drawn = drawRooms(random, intent);
  const rooms = drawn && joinNooks(drawn);
  if (!rooms || rooms.length !== count) return undefined;
  const rects = rooms.flatMap((room) => room.rects);
  const area = areaM2(rects);
  const [w, d] = extent(rects);
  if (area < AREA_M2[0] || area > AREA_M2[1] || Math.max(w, d) > MAX_EXTENT_DM) return undefined;
  if (rects.some((r) => r.x1 - r.x0 < 13 || r.z1 - r.z0 < 13)) return undefined;
  const segments = wallSegments(rooms);
  const assignment = assignKinds(rooms, segments);
  if (!assignment) return undefined;
  const score = assignment.score + sprawl(segments, area);
  return { draft: { style, openness, rooms }, segments, assignment, score };
}

/** Penalises long arms and many corners; a plain L or T costs nothing. */
function sprawl(segments: readonly Segment[], area: number): number {
  const outer = segments.reduce((sum, s) => sum + (s.rooms[1] < 0 ? (s.to - s.from) / 10 : 0), 0);
  return 12 * Math.max(0, outer / (4 * Math.sqrt(area)) - 1.3);
}

function extent(rects: readonly Rect[]): [number, number] {
  return [
    Math.max(...rects.map((r) => r.x1)) - Math.min(...rects.map((r) => r.x0)),
    Math.max(...rects.map((r) => r.z1)) - Math.min(...rects.map((r) => r.z0)),
  ];
}

function drawStyle(random: Random, count: number): Draft["style"] {
  const u = random.uniform();
  if (count <= 3) return "blocks";
  if (count <= 5) return u < 0.5 ? "blocks" : "spine";
  return u < 0.52 ? "spine" : u < 0.78 ? "blocks" : "ring";
}

/** Draws the rooms, doors and windows of an apartment. */
export function drawPlan(seed: number): Plan {
  const random = new Random(hash53(`apartment/${seed}/layout`));
  const count = drawRoomCount(random);
  const intent = { count, style: drawStyle(random, count), variant: random.uniform() };
  let best: Candidate | undefined;
  let good = 0;
  let valid = 0;
  for (let i = 0; i < MAX_TRIES && good < GOOD_CANDIDATES && valid < VALID_CANDIDATES; i++) {
    // A style that keeps failing is replaced by plain blocks.
    const next = candidate(
      random,
      i < (MAX_TRIES * 3) / 4 ? intent : { ...intent, style: "blocks" },
    );
    if (!next) continue;
    valid++;
    if (next.score < GOOD_PER_ROOM * count) good++;
    if (!best || next.score < best.score) best = next;
  }
  if (!best) throw new RangeError(`no plan for ${count} rooms within ${MAX_TRIES} tries`);
  return finish(seed, best);
}

function finish(seed: number, { draft, segments, assignment }: Candidate): Plan {
  const random = new Random(hash53(`apartment/${seed}/openings`));
  const { kinds, tree } = assignment;
  const heightM = random.pick([2.5, 2.55, 2.6, 2.7, 2.8]);
  const mirror = random.below(4);
  const rects = draft.rooms.map((room) => room.rects);
  const numbers = new Map<string, number>();
  const rooms = kinds.map((kind, i) => {
    const number = (numbers.get(kind) ?? 0) + 1;
    numbers.set(kind, number);
    return { name: `${kind}_${number}`, kind, rects: turn(rects[i] ?? [], mirror) };
  });
  // Rotated and mirrored after the kinds are assigned, which gives four variants of a plan.
  const turned = mirror === 0 ? segments : wallSegments(rooms);
  return {
    style: draft.style,
    rooms,
    heightM,
    openings: [
      ...drawDoors(random, kinds, tree, turned, draft.openness),
      ...drawOuterOpenings(random, kinds, turned),
    ],
  };
}

function turn(rects: readonly Rect[], mirror: number): Rect[] {
  return rects.map((r) => {
    const flipped = mirror & 1 ? { ...r, x0: 0 - r.x1, x1: 0 - r.x0 } : r;
    return mirror & 2
      ? { x0: flipped.z0, x1: flipped.z1, z0: flipped.x0, z1: flipped.x1 }
      : flipped;
  });
}
