import { multiply } from "../../../../core/math/quat-wxyz.js";
import type { Random } from "../../../../core/math/random.js";
import type { Vec3 } from "../../../../core/math/vec3.js";
import { COLORS } from "../../objects/colors.js";
import { SHAPES, shapeOf } from "../../objects/object.js";
import { fromScene } from "../../visual/axes.js";
import { type Footprint, footprintOf, overlapM, overTable } from "../overlap.js";
import {
  isBuiltIn,
  type ManipulationWorld,
  OBJECT_SHAPES,
  type ObjectSpec,
  type TableSpec,
} from "../world.js";
import { yawQuat } from "../yaw.js";

/** Draws of a place or a direction before an object stays as it is. */
const TRIES = 32;
/** Objects stay this far from the edges of what they stand on. */
const EDGE_M = 0.01;
/** An object whose lowest point is this near to a surface of furniture stands on it. */
const STANDS_M = 0.02;
/** Rotation of a moved object, per metre: 0.1 rad at 2 cm. */
const TURN_RAD_PER_M = 5;
/** Distractors keep this distance from objects and from the goal, so that fingers fit between. */
const APART_M = 0.08;

type Point2 = readonly [x: number, y: number];

/** Moves every object and fixture that the episode adds by this distance, in its own random direction. */
export function movedObjects(world: ManipulationWorld, byM: number, random: Random) {
  const objects = world.objects.slice();
  for (const [i, object] of world.objects.entries()) {
    if (object.centreInBody) continue;
    const turn = yawQuat((random.uniform() < 0.5 ? -1 : 1) * TURN_RAD_PER_M * byM);
    const rotation_wxyz = multiply(turn, object.rotation_wxyz);
    // The directions of an object are drawn whether they are needed or not, so that others keep theirs.
    const angles = Array.from({ length: TRIES }, () => 2 * Math.PI * random.uniform());
    const moved = angles
      .map((angle) => ({
        ...object,
        rotation_wxyz,
        position: shifted(object.position, angle, byM),
      }))
      .find((candidate) => isFree(candidate, object, objects, world));
    if (moved) objects[i] = moved;
  }
  const fixtures = world.fixtures.map((fixture) => {
    const angle = 2 * Math.PI * random.uniform();
    return isBuiltIn(fixture)
      ? fixture
      : { ...fixture, position: shifted(fixture.position, angle, byM) };
  });
  return { objects, fixtures };
}

function shifted([x, y, z]: Vec3, angle: number, byM: number): Vec3 {
  return [x + byM * Math.cos(angle), y + byM * Math.sin(angle), z];
}

/** Scales every object by its own factor, log-uniform from 1/`factor` to `factor`; its lower side stays in place. */
export function resizedObjects(
  world: ManipulationWorld,
  factor: number,
  random: Random,
): readonly ObjectSpec[] {
  const objects = world.objects.slice();
  for (const [i, object] of world.objects.entries()) {
    const exponent = 2 * random.uniform() - 1;
    if (object.centreInBody) continue;
    // Where there is no room for it, the change is halved.
    for (let share = 1; share > 0.1; share /= 2) {
      const candidate = resized(object, factor ** (share * exponent));
      const fits = shapeOf(object).fault(candidate.sizeM) === undefined;
      if (!fits || !isFree(candidate, object, objects, world)) continue;
      objects[i] = candidate;
      break;
    }
  }
  return objects;
}

function resized(object: ObjectSpec, scale: number): ObjectSpec {
  const [x, y, z] = object.sizeM;
  const scaled = { ...object, sizeM: [scale * x, scale * y, scale * z] as const };
  const rise = footprintOf(object).low - footprintOf(scaled).low;
  const [px, py, pz] = object.position;
  return { ...scaled, position: [px, py, pz + rise] };
}

/** Adds objects of random shapes and colours to the table, none of a colour that the world has. */
export function withDistractors(
  world: ManipulationWorld & { readonly table: TableSpec },
  count: number,
  random: Random,
  goal: Point2 | undefined,
): readonly ObjectSpec[] {
  const { table } = world;
  const objects = world.objects.slice();
  const taken = new Set(world.objects.map(({ color }) => color.join()));
  const colors = Object.values(COLORS).filter((color) => !taken.has(color.join()));
  for (let n = 1; n <= count; n++) {
    const shape = random.pick(OBJECT_SHAPES);
    const { sizeM, massKg } = SHAPES[shape];
    const color = random.pick(colors);
    const name = `distractor_${n}`;
    for (let i = 0; i < TRIES; i++) {
      const u = (random.uniform() - 0.5) * table.sizeM[0];
      const v = (random.uniform() - 0.5) * table.sizeM[1];
      const [c, s] = [Math.cos(table.yawRad), Math.sin(table.yawRad)];
      const position = [
        table.position[0] + c * u - s * v,
        table.position[1] + s * u + c * v,
        table.position[2],
      ] as const;
      const rotation_wxyz = yawQuat(2 * Math.PI * random.uniform());
      const lying = { name, shape, sizeM, massKg, friction: 1, color, position, rotation_wxyz };
      const rise = table.position[2] - footprintOf(lying).low;
      const object: ObjectSpec = {
        ...lying,
        position: [position[0], position[1], position[2] + rise],
      };
      if (!isApart(object, objects, table, goal)) continue;
      objects.push(object);
      break;
    }
  }
  return objects;
}

function isApart(
  object: ObjectSpec,
  others: readonly ObjectSpec[],
  table: TableSpec,
  goal: Point2 | undefined,
): boolean {
  const [x, y] = object.position;
  const radius = (sizeM: Vec3) => Math.hypot(sizeM[0], sizeM[1]) / 2;
  const own = radius(object.sizeM);
  const isFar = (at: Point2, r: number) => Math.hypot(at[0] - x, at[1] - y) > own + r + APART_M;
  return (
    footprintOf(object).outline.every((point) => overTable(table, point, EDGE_M)) &&
    (!goal || isFar(goal, 0)) &&
    others.every(({ position, sizeM }) => isFar([position[0], position[1]], radius(sizeM)))
  );
}

/**
 * Whether an object overlaps no other one, and stays on what it stood on: the table, or a surface of an apartment's
 * furniture. Elsewhere in an apartment, walls and furniture may be near, so nothing is free.
 */
function isFree(
  candidate: ObjectSpec,
  before: ObjectSpec,
  objects: readonly ObjectSpec[],
  world: ManipulationWorld,
): boolean {
  const space = footprintOf(candidate);
  const support = supportOf(footprintOf(before), world);
  if (world.apartment && !support) return false;
  if (support && !space.outline.every((point) => overTable(support, point, EDGE_M))) return false;
  return objects.every(
    (other) =>
      other.name === before.name ||
      other.centreInBody !== undefined ||
      overlapM(space, footprintOf(other)) === 0,
  );
}

/** The level rectangle on which an object stands whole. */
function supportOf(
  { outline, low }: Footprint,
  { table, apartment }: ManipulationWorld,
): TableSpec | undefined {
  const surfaces = apartment?.receptacles.flatMap((receptacle) => receptacle.surfaces) ?? [];
  const level = surfaces
    .filter(({ centre }) => Math.abs(centre[1] - low) < STANDS_M)
    .map(({ centre, yawRad, sizeM: [x, z] }): TableSpec => {
      return { position: fromScene(centre), yawRad, sizeM: [x, z, 0] };
    });
  return [...(table ? [table] : []), ...level].find((one) =>
    outline.every((point) => overTable(one, point)),
  );
}
