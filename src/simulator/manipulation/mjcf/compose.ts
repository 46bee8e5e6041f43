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
import type { FixtureSpec, ManipulationWorld } from "../world/world.js";
import { turn } from "../world/yaw.js";
import { arenaFragment } from "./arena.js";
import { padFriction, robotFragment } from "./robot-fragment.js";
import { withoutUnfelt } from "./strip-visual.js";

/** Of a physics step, unless the episode says otherwise. */
export const TIMESTEP_S = 0.002;

export interface ComposeOptions {
  readonly timestepS?: number;
  /** Let MuJoCo pass over what is at rest: several times quicker. Default true. */
  readonly sleep?: boolean;
  /** Whether pictures will be taken. Else what is only seen is left out. Default true. */
  readonly drawn?: boolean;
}

/** The whole world as one MJCF document. The same world gives the same text. */
export function worldMjcf(world: ManipulationWorld, options: ComposeOptions = {}): string {
  const { robotType, model } = world.robot;
  const document = joinFragments(robotType, settings(world, options), [
    arenaFragment(world),
    robotFragment(world),
    ...thingFragments(world),
  ]);
  const drawn = options.drawn ?? true;
  return mjcfText(drawn ? document : withoutUnfelt(document, model?.gripper.fingers.flat()));
}

/** The fixtures and objects that are made here. */
export function thingFragments(world: ManipulationWorld): readonly MjcfFragment[] {
  const { objects, fixtures, physics } = world;
  const pads = padFriction(world);
  return [
    ...fixtures
      .filter(({ inScene }) => !inScene)
      .map((spec) => fixtureFragment(spec, physics, groundUnder(spec, world))),
    ...objects
      .filter(({ middleInBody }) => !middleInBody)
      .map((spec) => objectFragment(spec, physics, pads)),
  ];
}

/**
 * What holds a grasp by friction alone: elliptic cones, and friction a hundred times stiffer than the normal
 * force, at 2 ms steps. Held by a pyramid or at the default ratio, things creep out of the fingers.
 */
export function optionElement(
  { timestepS = TIMESTEP_S, sleep = true }: ComposeOptions,
  surroundings: MjcfAttributes = {},
): MjcfElement {
  return mjcf(
    "option",
    {
      ...surroundings,
      timestep: timestepS,
      integrator: "implicitfast",
      cone: "elliptic",
      impratio: 100,
    },
    mjcf("flag", { sleep: sleep ? "enable" : "disable" }),
  );
}

/** Angles are in radians everywhere here. */
export const COMPILER = mjcf("compiler", { angle: "radian", autolimits: true });

function settings({ objects }: ManipulationWorld, options: ComposeOptions): MjcfElement[] {
  return [
    COMPILER,
    optionElement(options),
    // For contacts and their constraints; MuJoCo's default takes 16 MB for every world.
    mjcf("size", { memory: `${4 + Math.floor(objects.length / 8) * 4}M` }),
  ];
}

/** The height of what a fixture stands on. */
function groundUnder(
  { position: [x, y, z], yawRad, sizeM }: FixtureSpec,
  { table }: ManipulationWorld,
): number {
  if (!table || z - sizeM[2] / 2 < table.position[2] - 1e-6) return 0;
  const [dx, dy] = turn(yawRad, sizeM[0] / 2, 0);
  return overTable(table, [x + dx, y + dy]) ? table.position[2] : 0;
}
