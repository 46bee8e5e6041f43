import {
  type MjcfAttributes,
  type MjcfElement,
  mjcf,
  mjcfText,
} from "../../../core/mjcf/element.js";
import { joinFragments, type MjcfFragment } from "../../../core/mjcf/fragment.js";
import { fixtureFragment } from "../fixtures/fixture.js";
import { objectFragment } from "../objects/object.js";
import { overTable } from "../world/overlap.js";
import type { FixtureSpec, ManipulationWorld, ObjectSpec } from "../world/world.js";
import { turn } from "../world/yaw.js";
import { arenaFragment } from "./arena.js";
import { padFriction, robotFragment } from "./robot-fragment.js";
import { withoutVisualGeoms } from "./strip-visual.js";

/** Default physics step. */
export const TIMESTEP_S = 0.002;

export interface ComposeOptions {
  readonly timestepS?: number;
  /** Let MuJoCo skip bodies at rest, which is several times faster. Default true. */
  readonly sleep?: boolean;
  /** Whether images will be rendered; if not, visual geoms are omitted. Default true. */
  readonly drawn?: boolean;
}

/** A generated world as one MJCF document. Deterministic. */
export function worldMjcf(world: ManipulationWorld, options: ComposeOptions = {}): string {
  const { robotType, model } = world.robot;
  const document = joinFragments(robotType, settings(world, options), [
    world.apartment?.fragment ?? arenaFragment(world),
    ...movingFragments(world),
  ]);
  const drawn = options.drawn ?? true;
  return mjcfText(drawn ? document : withoutVisualGeoms(document, model?.gripper?.fingers.flat()));
}

/** The parts of a generated world that differ between episodes in one place. */
export function movingFragments(world: ManipulationWorld): readonly MjcfFragment[] {
  return [robotFragment(world), ...contentFragments(world)];
}

/** The generated fixtures and objects. */
export function contentFragments(world: ManipulationWorld): readonly MjcfFragment[] {
  const { objects, fixtures, physics, apartment } = world;
  const pads = padFriction(world);
  return [
    ...fixtures
      .filter(({ inScene }) => !inScene)
      .map((spec) => fixtureFragment(spec, physics, groundUnder(spec, world))),
    ...objects
      .filter(({ centreInBody }) => !centreInBody)
      .map((spec, i) => objectFragment(apartment ? parked(spec, i) : spec, physics, pads)),
  ];
}

/** Distance of the places where an apartment's objects are compiled, which is larger than any object. */
const PARKING_M = 2;

/** An object at a place that does not depend on the episode, so that a compiled apartment fits the next one. */
function parked(object: ObjectSpec, index: number): ObjectSpec {
  return {
    ...object,
    position: [-PARKING_M * (index + 5), -PARKING_M * 5, PARKING_M],
    rotation_wxyz: [1, 0, 0, 0],
  };
}

/**
 * Options under which friction alone holds a grasp: elliptic cones, friction a hundred times stiffer than the normal
 * force, and 2 ms steps. With pyramidal cones or the default ratio, objects slip out of the fingers.
 */
export function optionElement(
  { timestepS = TIMESTEP_S, sleep = true }: ComposeOptions,
  environment: MjcfAttributes = {},
): MjcfElement {
  return mjcf(
    "option",
    {
      ...environment,
      timestep: timestepS,
      integrator: "implicitfast",
      cone: "elliptic",
      impratio: 100,
    },
    mjcf("flag", { sleep: sleep ? "enable" : "disable" }),
  );
}

/** Generated documents use radians. */
export const COMPILER = mjcf("compiler", { angle: "radian", autolimits: true });

/** A robot deep in furniture, which is an error of its episode, has hundreds of contacts. */
const APARTMENT_MB = 8;

function settings(
  { objects, apartment }: ManipulationWorld,
  options: ComposeOptions,
): MjcfElement[] {
  const extra = Math.floor(objects.length / 8) * 4 + (apartment ? APARTMENT_MB : 0);
  return [
    COMPILER,
    optionElement(options),
    // Memory for contacts and constraints; MuJoCo's default is 16 MB per world.
    mjcf("size", { memory: `${4 + extra}M` }),
  ];
}

/** Height of the table or floor below a fixture. */
function groundUnder(
  { position: [x, y, z], yawRad, sizeM }: FixtureSpec,
  { table }: ManipulationWorld,
): number {
  if (!table || z - sizeM[2] / 2 < table.position[2] - 1e-6) return 0;
  const [dx, dy] = turn(yawRad, sizeM[0] / 2, 0);
  return overTable(table, [x + dx, y + dy]) ? table.position[2] : 0;
}
