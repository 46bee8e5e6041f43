import { hash53 } from "../../../core/math/hash.js";
import { Random } from "../../../core/math/random.js";
import { cameraPose } from "../../axes/camera.js";
import { between } from "../../axes/draw.js";
import { lighting } from "../../axes/light.js";
import type { AxisValue } from "../../axes/values.js";
import type { WorldAxis } from "./axes/names.js";
import { movedObjects, resizedObjects, withDistractors } from "./axes/objects.js";
import { textures } from "./axes/textures.js";
import { footprintOf, overTable } from "./overlap.js";
import type { LookSpec, ManipulationWorld, PhysicsSpec, TableSpec } from "./world.js";

/**
 * How a world is randomised: along axes, each with a value. Levels are presets of axes, in the order of RoboVerse's
 * paper (its newer code has lights before the camera): 0 object and goal poses, which are part of the episode; 1 +
 * colours of table, floor and walls, and the table's yaw; 2 + head camera; 3 + light. `physics` is the preset of mass
 * and friction, which belong to no level.
 */
export interface RandomisationSettings {
  readonly level: 0 | 1 | 2 | 3;
  readonly physics: boolean;
  readonly seed: number | string;
  /** Values by axis, which replace those of the presets. Each may have a seed of its own. */
  readonly axes?: Readonly<Partial<Record<WorldAxis, AxisValue>>> | undefined;
}

export const PLAIN_LOOK: LookSpec = {
  table: [0.72, 0.57, 0.42],
  floor: [0.55, 0.55, 0.56],
  wall: [0.86, 0.86, 0.83],
  camera: { offsetM: [0, 0, 0], panDeg: 0, tiltDeg: 0 },
  light: { intensity: 1, color: [1, 1, 1] },
};

export const PLAIN_PHYSICS: PhysicsSpec = { massScale: 1, frictionScale: 1 };

/** What each level adds to the one below. */
const LEVELS: readonly Readonly<Partial<Record<WorldAxis, number>>>[] = [
  {},
  { table_yaw: 0.1, textures: 1 },
  { camera_pose: 0.05 },
  { lighting: 1 },
];
const PHYSICS = { object_mass: 2, friction: 0.3 } as const;

/** Names of the random streams where they differ from the axis's, and of axes that share one. */
const STREAMS: Readonly<Partial<Record<WorldAxis, string>>> = {
  table_yaw: "table",
  textures: "materials",
  camera_pose: "camera",
  lighting: "light",
  object_mass: "physics",
  friction: "physics",
};

/** Objects stay this far from the edges when the table is rotated. */
const TABLE_MARGIN_M = 0.01;

/**
 * Randomises a world. Each axis has its own random stream, so that a higher level keeps the draws of the lower ones.
 *
 * @param goal a point that stays above the table
 */
export function randomised(
  world: ManipulationWorld,
  settings: RandomisationSettings,
  goal?: readonly [x: number, y: number],
): ManipulationWorld {
  const on = valuesOf(settings);
  /** Applies an axis if it is on. */
  const along = <T>(axis: WorldAxis, before: T, draw: (value: number, random: Random) => T): T => {
    const found = on.get(axis);
    if (!found) return before;
    return draw(found.value, new Random(hash53(`${STREAMS[axis] ?? axis}:${found.seed}`)));
  };
  const { look, physics } = world;
  const joints = along("robot_start", world.joints, (share, random) =>
    startNear(world, share, random),
  );
  const sized = along("object_size", world.objects, (factor, random) =>
    resizedObjects(world, factor, random),
  );
  const moved = along("object_pose", { objects: sized, fixtures: world.fixtures }, (byM, random) =>
    movedObjects({ ...world, objects: sized }, byM, random),
  );
  const objects = along("distractors", moved.objects, (count, random) =>
    world.table
      ? withDistractors({ ...world, ...moved, table: world.table }, count, random, goal)
      : moved.objects,
  );
  const keep = [
    ...objects.flatMap((object) => footprintOf(object).outline),
    ...(goal ? [goal] : []),
  ];
  return {
    ...world,
    joints,
    objects,
    fixtures: moved.fixtures,
    table: along("table_yaw", world.table, (yawRad, random) =>
      world.table ? turnedTable(world.table, yawRad, random, keep) : undefined,
    ),
    look: {
      ...along("textures", look, (share, random) => ({
        ...look,
        ...textures(look, share, random),
      })),
      camera: along("camera_pose", look.camera, cameraPose),
      light: along("lighting", look.light, lighting),
    },
    physics: {
      ...physics,
      // Log-uniform: half and double are equally likely.
      massScale: along("object_mass", physics.massScale, (factor, random) => {
        const [low, high] = [1 / factor, factor];
        return physics.massScale * low * (high / low) ** random.uniform();
      }),
      frictionScale: along("friction", physics.frictionScale, (share, random) => {
        // The first number of the stream is the mass's.
        random.uniform();
        return physics.frictionScale * between(random, 1 - share, 1 + share);
      }),
    },
  };
}

/** The axes that are on, with their values and seeds. */
function valuesOf({ level, physics, seed, axes = {} }: RandomisationSettings) {
  const presets = Object.assign({}, ...LEVELS.slice(0, level + 1), physics ? PHYSICS : {});
  const values = new Map<string, { readonly value: number; readonly seed: number | string }>();
  for (const [axis, value] of Object.entries<number>(presets)) values.set(axis, { value, seed });
  for (const [axis, given] of Object.entries(axes)) {
    values.set(axis, { value: given.value, seed: given.seed ?? seed });
  }
  return values;
}

/** The drawn values, as stored in step records. */
export function randomisationRecord({ look, physics, table }: ManipulationWorld) {
  return {
    table_yaw: table?.yawRad ?? null,
    table_color: look.table,
    floor_color: look.floor,
    wall_color: look.wall,
    camera: {
      offset: look.camera.offsetM,
      pan_deg: look.camera.panDeg,
      tilt_deg: look.camera.tiltDeg,
    },
    light: look.light,
    mass_scale: physics.massScale,
    friction_scale: physics.frictionScale,
  };
}

/** Changes each degree of freedom but the gripper by a share of its range, up or down, within its limits. */
function startNear(
  { robot, joints }: ManipulationWorld,
  share: number,
  random: Random,
): readonly number[] {
  return joints.map((value, i) => {
    const sign = random.uniform() < 0.5 ? -1 : 1;
    const dof = robot.dofs[i];
    if (!dof || i === robot.gripperDof) return value;
    const [low, high] = dof.limits;
    return Math.min(high, Math.max(low, value + sign * share * (high - low)));
  });
}

/** Rotates the table. The angle is halved until all points of `keep` stay above it. */
function turnedTable(
  table: TableSpec,
  yawRad: number,
  random: Random,
  keep: readonly (readonly [number, number])[],
): TableSpec {
  const kept = keep.filter((point) => overTable(table, point, TABLE_MARGIN_M));
  let turnRad = between(random, -yawRad, yawRad);
  for (let i = 0; i < 8; i++) {
    const candidate = { ...table, yawRad: table.yawRad + turnRad };
    if (kept.every((point) => overTable(candidate, point, TABLE_MARGIN_M))) return candidate;
    turnRad /= 2;
  }
  return table;
}
