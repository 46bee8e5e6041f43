import { hash53 } from "../../../core/math/hash.js";
import { Random } from "../../../core/math/random.js";
import type { Vec3 } from "../../../core/math/vec3.js";
import { overTable } from "./overlap.js";
import type { LookSpec, ManipulationWorld, PhysicsSpec, TableSpec } from "./world.js";

/**
 * Levels in the order of RoboVerse's paper (its newer code has lights before the camera): 0 object and goal poses,
 * which are part of the episode; 1 + colours of table, floor and walls, and the table's yaw; 2 + head camera;
 * 3 + light. Mass and friction are randomised independently of the level (`physics`).
 */
export interface RandomisationSettings {
  readonly level: 0 | 1 | 2 | 3;
  readonly physics: boolean;
  readonly seed: number | string;
}

type Color = readonly [number, number, number];

export const PLAIN_LOOK: LookSpec = {
  table: [0.72, 0.57, 0.42],
  floor: [0.55, 0.55, 0.56],
  wall: [0.86, 0.86, 0.83],
  camera: { offsetM: [0, 0, 0], panDeg: 0, tiltDeg: 0 },
  light: { intensity: 1, color: [1, 1, 1] },
};

export const PLAIN_PHYSICS: PhysicsSpec = { massScale: 1, frictionScale: 1 };

const TABLES: readonly Color[] = [
  [0.72, 0.57, 0.42],
  [0.45, 0.31, 0.21],
  [0.85, 0.83, 0.78],
  [0.32, 0.34, 0.37],
  [0.62, 0.66, 0.6],
];
const FLOORS: readonly Color[] = [
  [0.55, 0.55, 0.56],
  [0.6, 0.48, 0.36],
  [0.38, 0.4, 0.42],
  [0.72, 0.69, 0.63],
];
const WALLS: readonly Color[] = [
  [0.86, 0.86, 0.83],
  [0.78, 0.83, 0.88],
  [0.88, 0.8, 0.7],
  [0.72, 0.8, 0.72],
];
const COLOR_JITTER = 0.06;
const TABLE_TURN_RAD = 0.1;
/** Objects stay this far from the edges when the table is rotated. */
const TABLE_MARGIN_M = 0.01;

const CAMERA_SHIFT_M = 0.05;
const CAMERA_RISE_M = 0.1;
/** Distance of the point that the camera keeps looking at. */
const LOOK_AT_M = 1;
const CAMERA_AIM_DEG = 1.5;

const INTENSITY = [0.6, 1.3] as const;
/** Light colours by temperature: black bodies in sRGB, from Mitchell Charity's table. */
const TEMPERATURES: readonly (readonly [kelvin: number, color: Color])[] = [
  [3000, [1, 0.71, 0.42]],
  [6500, [1, 0.98, 0.99]],
  [8000, [0.89, 0.91, 1]],
];
/** Share of the tint that remains after a camera's white balance. */
const TINT = 0.5;

const MASS = [0.5, 2] as const;
const FRICTION = [0.7, 1.3] as const;

/**
 * Randomises a world. The points in `keep` (outlines of objects, the goal) stay above the table. Each aspect has its
 * own random stream, so that a higher level keeps the draws of the lower ones.
 */
export function randomised(
  world: ManipulationWorld,
  settings: RandomisationSettings,
  keep: readonly (readonly [x: number, y: number])[] = [],
): ManipulationWorld {
  const { level, seed } = settings;
  const stream = (axis: string) => new Random(hash53(`${axis}:${seed}`));
  const { table, look, physics } = world;
  return {
    ...world,
    table: level >= 1 && table ? turnedTable(table, stream("table"), keep) : table,
    look: {
      ...look,
      ...(level >= 1 ? materials(stream("materials")) : {}),
      ...(level >= 2 ? { camera: camera(stream("camera")) } : {}),
      ...(level >= 3 ? { light: light(stream("light")) } : {}),
    },
    physics: settings.physics ? scaled(physics, stream("physics")) : physics,
  };
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

/** Rotates the table. The angle is halved until all points of `keep` stay above it. */
function turnedTable(
  table: TableSpec,
  random: Random,
  keep: readonly (readonly [number, number])[],
): TableSpec {
  const kept = keep.filter((point) => overTable(table, point, TABLE_MARGIN_M));
  let turnRad = between(random, -TABLE_TURN_RAD, TABLE_TURN_RAD);
  for (let i = 0; i < 8; i++) {
    const candidate = { ...table, yawRad: table.yawRad + turnRad };
    if (kept.every((point) => overTable(candidate, point, TABLE_MARGIN_M))) return candidate;
    turnRad /= 2;
  }
  return table;
}

function materials(random: Random): Pick<LookSpec, "table" | "floor" | "wall"> {
  const color = (palette: readonly Color[]): Color => {
    const [r, g, b] = random.pick(palette);
    const jitter = (c: number) =>
      Math.min(1, Math.max(0, c + between(random, -COLOR_JITTER, COLOR_JITTER)));
    return [jitter(r), jitter(g), jitter(b)];
  };
  return { table: color(TABLES), floor: color(FLOORS), wall: color(WALLS) };
}

/** Shifts the camera sideways and up, and aims it back at the same point with an error of up to 1.5 degrees. */
function camera(random: Random): LookSpec["camera"] {
  const offsetM: Vec3 = [
    between(random, -CAMERA_SHIFT_M, CAMERA_SHIFT_M),
    between(random, 0, CAMERA_RISE_M),
    between(random, -CAMERA_SHIFT_M, CAMERA_SHIFT_M),
  ];
  const towards = (shift: number) => (Math.atan2(shift, LOOK_AT_M + offsetM[2]) * 180) / Math.PI;
  return {
    offsetM,
    panDeg: towards(offsetM[0]) + between(random, -CAMERA_AIM_DEG, CAMERA_AIM_DEG),
    tiltDeg: -towards(offsetM[1]) + between(random, -CAMERA_AIM_DEG, CAMERA_AIM_DEG),
  };
}

function light(random: Random): LookSpec["light"] {
  const intensity = between(random, ...INTENSITY);
  const first = TEMPERATURES[0]?.[0] ?? 0;
  const last = TEMPERATURES.at(-1)?.[0] ?? 0;
  return { intensity, color: lightColor(between(random, first, last)) };
}

function lightColor(kelvin: number): Color {
  const above = Math.max(
    1,
    TEMPERATURES.findIndex(([k]) => k >= kelvin),
  );
  const [lowK, low] = TEMPERATURES[above - 1] as (typeof TEMPERATURES)[number];
  const [highK, high] = TEMPERATURES[above] as (typeof TEMPERATURES)[number];
  const share = (kelvin - lowK) / (highK - lowK);
  const mixed = (i: 0 | 1 | 2) => 1 - TINT * (1 - (low[i] + share * (high[i] - low[i])));
  return [mixed(0), mixed(1), mixed(2)];
}

function scaled(physics: PhysicsSpec, random: Random): PhysicsSpec {
  return {
    ...physics,
    // Log-uniform: half and double are equally likely.
    massScale: physics.massScale * MASS[0] * (MASS[1] / MASS[0]) ** random.uniform(),
    frictionScale: physics.frictionScale * between(random, ...FRICTION),
  };
}

function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random.uniform();
}
