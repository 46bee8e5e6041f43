import type { EpisodeDocument } from "../../../src/server/view/documents.js";

/** Metres, y up: glTF's axes. */
export type Point = readonly [number, number, number];

export type CameraMode = "follow" | "free" | "top";
export type ViewerTheme = "light" | "dark";

/** The motion of one robot, record by record. */
export interface Trace {
  /** A mobile base with a heading, a hand without one, or jumps between viewpoints of a graph. */
  readonly kind: "body" | "hand" | "graph";
  readonly points: readonly Point[];
  /** Radians, 0 along -z, counter-clockwise. */
  readonly headings: readonly number[];
  /** Indices of records. */
  readonly collisions: readonly number[];
  /** Viewpoints by record, on a graph. */
  readonly nodes: readonly (string | null)[];
  /** Positions of objects by name and record; shown if there is no geometry. */
  readonly things: Readonly<Record<string, readonly Point[]>>;
  /** The colour of a ghost; without one, the path's colour encodes time. */
  readonly ghost: string | null;
}

export interface ViewerContent {
  readonly traces: readonly Trace[];
  readonly reference: readonly Point[];
  readonly goals: readonly Point[];
  readonly goalRadius: number | null;
}

type Records = EpisodeDocument["records"];

/** MuJoCo's z up to glTF's y up. */
function fromZUp(x: number, y: number, z: number): Point {
  return [x, z, -y];
}

export function contentOf(document: EpisodeDocument): ViewerContent {
  const { goals } = document.episode;
  const place = document.goals.length > 0 ? null : placeOf(goals.target_location);
  const radius = place ? numberIn(goals.success_criteria, "place_tolerance") : goals.radius;
  return {
    traces: [traceOf(document, null)],
    reference: document.reference_path,
    goals: place ? [place] : document.goals,
    goalRadius: typeof radius === "number" && radius > 0 ? radius : null,
  };
}

/** The target location of an object, from z-up episode data. */
function placeOf(location: unknown): Point | null {
  if (typeof location !== "object" || location === null || !("position" in location)) return null;
  const { position } = location;
  if (!Array.isArray(position)) return null;
  const [x, y, z]: unknown[] = position;
  const known = typeof x === "number" && typeof y === "number" && typeof z === "number";
  return known ? fromZUp(x, y, z) : null;
}

function numberIn(value: unknown, key: string): number | null {
  if (typeof value !== "object" || value === null) return null;
  const found: unknown = Object.entries(value).find(([name]) => name === key)?.[1];
  return typeof found === "number" ? found : null;
}

export function traceOf(document: EpisodeDocument, ghost: string | null): Trace {
  const { records } = document;
  const positions = records.map(({ state }) => state.position ?? baseOf(state));
  const walks = positions.some((position) => position !== undefined);
  const nodes = records.map(({ state }) => state.node ?? null);
  return {
    kind: !walks ? "hand" : nodes.some((node) => node !== null) ? "graph" : "body",
    points: walks ? held(positions) : held(records.map(({ state }) => handOf(state.ee_pose))),
    headings: headingsOf(records),
    collisions: records.flatMap(({ state }, index) => (state.collided === true ? [index] : [])),
    nodes,
    things: thingsOf(records),
    ghost,
  };
}

/** The place of a base that drives, which MuJoCo's worlds record with z up. */
function baseOf({ base_pose }: Records[number]["state"]): Point | undefined {
  return base_pose && fromZUp(base_pose[0], base_pose[1], 0);
}

function handOf(pose: readonly number[] | undefined): Point | undefined {
  const [x, y, z] = pose ?? [];
  return x === undefined || y === undefined || z === undefined ? undefined : fromZUp(x, y, z);
}

/** Fills missing positions with the previous one; empty if there are none. */
function held(points: readonly (Point | undefined)[]): Point[] {
  let last = points.find((point) => point !== undefined);
  if (last === undefined) return [];
  const out: Point[] = [];
  for (const point of points) {
    last = point ?? last;
    out.push(last);
  }
  return out;
}

function headingsOf(records: Records): number[] {
  let last = 0;
  return records.map(({ state }) => {
    // MuJoCo counts from +x, a heading from -z.
    const turned = state.base_pose && state.base_pose[2] - Math.PI / 2;
    last = state.heading ?? turned ?? last;
    return last;
  });
}

function thingsOf(records: Records): Record<string, Point[]> {
  const names = new Set(records.flatMap(({ state }) => Object.keys(state.objects ?? {})));
  const out: Record<string, Point[]> = {};
  for (const name of names) {
    out[name] = held(
      records.map(({ state }) => {
        const position = state.objects?.[name]?.position;
        return position && fromZUp(...position);
      }),
    );
  }
  return out;
}
