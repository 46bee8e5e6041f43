import type { Vec3 } from "../../core/math/vec3.js";
import type { SceneDoor, SceneInstance, SceneRoom } from "../scenes/model.js";
import type { Extent } from "./layout.js";
import { isFurniture } from "./palette.js";
import { type PathPoint, partsOn } from "./path-parts.js";
import { type PlanPolygon, type Point, planPolygons } from "./plan.js";
import { findStoreys, type Storeys } from "./storeys.js";
import type { TakenStep, TopDownMap } from "./top-down.js";

/** Coordinates beyond this are errors and would make everything else too small to see. */
const MAX_COORDINATE_M = 1e5;

/** Rugs and ceiling lamps are omitted, because they are no obstacles and would hide those that are. */
const FLAT_M = 0.08;
const OVERHEAD_M = 1.7;

/** Everything that one panel shows. */
export interface StoreyContent extends Extent {
  readonly floor: readonly PlanPolygon[];
  /** Polygons that lead to the storey above or below. */
  readonly stairs: readonly PlanPolygon[];
  readonly rooms: readonly SceneRoom[];
  readonly doors: readonly SceneDoor[];
  /** Furniture from the lowest to the tallest, as drawn from above. */
  readonly furniture: readonly SceneInstance[];
  readonly start: { readonly point: Point; readonly headingRad: number | undefined } | undefined;
  readonly goals: readonly Point[];
  readonly goalObjects: ReadonlySet<SceneInstance>;
  readonly viewPoints: readonly Point[];
  readonly successDistanceM: number | undefined;
  readonly reference: readonly PathPoint[][];
  readonly taken: readonly PathPoint[][];
  /** The parts of `taken` on which the robot carries the object. */
  readonly loaded: readonly PathPoint[][];
  readonly collisions: readonly Point[];
  readonly object: { readonly start: Point | undefined; readonly end: Point | undefined };
  readonly receptacles: Receptacles;
  readonly end: Point | undefined;
}

interface Receptacles {
  readonly start: SceneInstance | undefined;
  readonly goal: SceneInstance | undefined;
}

export interface MapContent {
  /** Heights of all floors of the scene. */
  readonly levels: readonly number[];
  /** The storeys shown. */
  readonly storeys: readonly StoreyContent[];
  readonly successDistanceM: number | undefined;
}

export function collect(map: TopDownMap): MapContent {
  const storeys = findStoreys(map.surface);
  const polygons = planPolygons(map.surface).map((polygon) => ({
    polygon,
    on: storeys.at(polygon.meanY),
  }));
  const radius = map.successDistanceM;
  const successDistanceM =
    radius !== undefined && radius > 0 && radius < MAX_COORDINATE_M ? radius : undefined;
  const episode = {
    start: map.start && isSane(map.start.position) ? map.start : undefined,
    goals: (map.goals ?? []).filter(isSane),
    viewPoints: (map.viewPoints ?? []).filter(isSane),
    reference: (map.reference ?? []).filter(isSane),
    taken: (map.taken ?? []).filter(({ position }) => isSane(position)),
  };
  const furniture = (map.model?.instances ?? [])
    .slice(1)
    .filter(({ category, min, max }) => isFurniture(category) && isSane(min) && isSane(max))
    .filter(({ min, max }) => max[1] - min[1] > FLAT_M)
    .sort((a, b) => a.max[1] - b.max[1]);
  const goalObjects = new Set(
    furniture.filter((instance) => episode.goals.some((goal) => contains(instance, goal))),
  );
  const { objectStart, objectEnd, startReceptacle, goalReceptacle } = map.handling ?? {};
  const drawers = new Map(map.model?.drawers?.map((drawer) => [drawer.name, drawer.furniture]));
  const named = (name: string | undefined) => {
    const place = name === undefined ? undefined : (drawers.get(name) ?? name);
    return furniture.find((instance) => instance.name === place);
  };
  const receptacles = { start: named(startReceptacle), goal: named(goalReceptacle) };
  const loaded = stretches(episode.taken, (step) => step.loaded === true);
  const contentOf = (storey: number): StoreyContent => {
    const stands = (position: Vec3) => storeys.at(position[1]).includes(storey);
    const isAbove = (position: Vec3) => storeys.beneath(position[1]) === storey;
    const own = polygons.filter(({ on }) => on.includes(storey));
    const rooms = (map.model?.rooms ?? []).filter(
      ({ floorM, outline }) =>
        storeys.beneath(floorM) === storey && outline.every(([x, z]) => isSane([x, 0, z])),
    );
    const placeOn = (place: Vec3 | undefined) =>
      place && isSane(place) && isAbove(place) ? flat(place) : undefined;
    const level = storeys.levels[storey] ?? 0;
    const end = episode.taken.at(-1)?.position;
    const content = {
      storey,
      floor: own.filter(({ on }) => on.length === 1).map(({ polygon }) => polygon),
      stairs: own.filter(({ on }) => on.length > 1).map(({ polygon }) => polygon),
      rooms,
      doors: (map.model?.doors ?? []).filter(({ position }) => isAbove(position)),
      furniture: furniture.filter(({ min }) => isAbove(min) && min[1] - level < OVERHEAD_M),
      start:
        episode.start && stands(episode.start.position)
          ? { point: flat(episode.start.position), headingRad: finite(episode.start.headingRad) }
          : undefined,
      goals: episode.goals.filter(isAbove).map(flat),
      goalObjects,
      viewPoints: episode.viewPoints.filter(stands).map(flat),
      successDistanceM,
      reference: partsOn(episode.reference, storeys, storey),
      taken: partsOn(
        episode.taken.map(({ position }) => position),
        storeys,
        storey,
      ),
      loaded: loaded.flatMap((part) =>
        partsOn(
          part.map(({ position }) => position),
          storeys,
          storey,
        ),
      ),
      object: { start: placeOn(objectStart), end: placeOn(objectEnd) },
      receptacles,
      collisions: episode.taken
        .filter(({ collided, position }) => collided === true && stands(position))
        .map(({ position }) => flat(position)),
      end: end && stands(end) ? flat(end) : undefined,
    };
    return { ...content, points: extentOf(content) };
  };
  return {
    levels: storeys.levels,
    storeys: visitedStoreys(episode, storeys).map(contentOf),
    successDistanceM,
  };
}

interface Episode {
  readonly start: { readonly position: Vec3 } | undefined;
  readonly goals: readonly Vec3[];
  readonly viewPoints: readonly Vec3[];
  readonly reference: readonly Vec3[];
  readonly taken: readonly TakenStep[];
}

/**
 * Storeys that the episode visits; crossing only a storey's stairs does not count. All storeys without an
 * episode.
 */
function visitedStoreys({ start, goals, viewPoints, reference, taken }: Episode, storeys: Storeys) {
  const standing = [
    ...(start ? [start.position] : []),
    ...viewPoints,
    ...reference,
    ...taken.map(({ position }) => position),
  ].map(([, y]) => storeys.at(y));
  const all = [...standing, ...goals.map(([, y]) => [storeys.beneath(y)])];
  const surely = all.filter((on) => on.length === 1).flat();
  const found = [...new Set(surely.length > 0 ? surely : all.flat())].sort((a, b) => a - b);
  return found.length > 0 ? found : [...storeys.levels.keys()];
}

function extentOf(content: Omit<StoreyContent, "points">): Point[] {
  const { floor, stairs, rooms, reference, taken, start, goals, viewPoints } = content;
  const scene = [
    ...[...floor, ...stairs].flatMap(({ corners }) => corners),
    ...rooms.flatMap(({ outline }) => outline),
  ];
  const paths = [...reference, ...taken].flat().map(({ point }) => point);
  const points = [...scene, ...paths, ...goals, ...viewPoints, ...(start ? [start.point] : [])];
  if (scene.length > 0) return points;
  // Without other content, the success radius determines the extent around the paths.
  const r = content.successDistanceM ?? 0;
  const discs = viewPoints.length > 0 ? viewPoints : goals;
  return [
    ...points,
    ...discs.flatMap(([x, z]): Point[] => [
      [x - r, z - r],
      [x + r, z + r],
    ]),
  ];
}

/** Runs of consecutive elements that satisfy the condition. */
function stretches<T>(all: readonly T[], holds: (one: T) => boolean): T[][] {
  const found: T[][] = [];
  let open: T[] | undefined;
  for (const one of all) {
    if (!holds(one)) open = undefined;
    else if (open) open.push(one);
    else {
      open = [one];
      found.push(open);
    }
  }
  return found;
}

function contains({ min, max }: SceneInstance, point: Vec3): boolean {
  return [0, 1, 2].every((i) => {
    const value = point[i] ?? 0;
    return value > (min[i] ?? 0) - 0.05 && value < (max[i] ?? 0) + 0.05;
  });
}

function isSane(position: Vec3): boolean {
  return position.every((value) => Math.abs(value) < MAX_COORDINATE_M);
}

function finite(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}

function flat([x, , z]: Vec3): Point {
  return [x, z];
}
