import type { Random } from "../../core/math/random.js";
import type { Vec3 } from "../../core/math/vec3.js";
import type { ObjectShape } from "../../simulator/manipulation/world/world.js";
import { rounded } from "../ground.js";
import type { Reach } from "./robot-reach.js";

interface NamedColor {
  readonly name: string;
  /** 0 to 1 each. */
  readonly rgb: readonly [r: number, g: number, b: number];
}

/** Colours that differ enough to be identified by name. */
const COLORS: readonly NamedColor[] = [
  { name: "red", rgb: [0.82, 0.15, 0.13] },
  { name: "green", rgb: [0.16, 0.6, 0.25] },
  { name: "blue", rgb: [0.14, 0.33, 0.78] },
  { name: "yellow", rgb: [0.93, 0.79, 0.15] },
  { name: "orange", rgb: [0.93, 0.5, 0.11] },
  { name: "purple", rgb: [0.5, 0.22, 0.62] },
  { name: "white", rgb: [0.92, 0.92, 0.9] },
  { name: "black", rgb: [0.12, 0.12, 0.13] },
];

/** An object without a pose. */
export interface ObjectSpec {
  /** `cup_red` */
  readonly name: string;
  /** "red cup" */
  readonly words: string;
  readonly shape: ObjectShape;
  readonly sizeM: Vec3;
  readonly massKg: number;
  readonly friction: number;
  readonly color: NamedColor["rgb"];
}

type Range = readonly [low: number, high: number];

interface Kind {
  readonly shape: ObjectShape;
  readonly noun: string;
  /** Range of the narrower horizontal side and of the height in metres, and of the mass in kg. */
  readonly width: Range;
  readonly height: Range;
  readonly mass: Range;
  /** The wider side as a multiple of the narrower one. */
  readonly broad?: Range;
}

/** All are at least 6 cm tall: a level hand cannot reach lower. */
const KINDS: readonly Kind[] = [
  {
    shape: "box",
    noun: "box",
    width: [0.035, 0.055],
    height: [0.07, 0.13],
    mass: [0.08, 0.35],
    broad: [1, 1.5],
  },
  { shape: "cylinder", noun: "can", width: [0.045, 0.062], height: [0.08, 0.13], mass: [0.1, 0.4] },
  { shape: "bottle", noun: "bottle", width: [0.045, 0.06], height: [0.14, 0.2], mass: [0.12, 0.4] },
  { shape: "cup", noun: "cup", width: [0.055, 0.065], height: [0.075, 0.11], mass: [0.08, 0.25] },
  {
    shape: "hexagon",
    noun: "block",
    width: [0.04, 0.055],
    height: [0.07, 0.12],
    mass: [0.08, 0.3],
  },
  {
    shape: "capsule",
    noun: "shaker",
    width: [0.042, 0.055],
    height: [0.09, 0.13],
    mass: [0.06, 0.2],
  },
];

/** Broad and low enough for another object; only these have flat tops. */
const BASES: readonly Kind[] = [
  {
    shape: "box",
    noun: "box",
    width: [0.09, 0.13],
    height: [0.04, 0.08],
    mass: [0.4, 0.9],
    broad: [1, 1.3],
  },
  { shape: "cylinder", noun: "drum", width: [0.1, 0.14], height: [0.04, 0.08], mass: [0.4, 0.9] },
  { shape: "hexagon", noun: "slab", width: [0.1, 0.13], height: [0.04, 0.08], mass: [0.4, 0.9] },
];

/** Total free space between the fingers and the object, in metres. */
const AIR_M = 0.016;

type Role = "target" | "base" | "distractor";

/** Draws an object with a colour that no other has, so that words distinguish them. */
export function drawObject(
  random: Random,
  role: Role,
  hand: Pick<Reach, "openingM">,
  others: readonly ObjectSpec[],
): ObjectSpec {
  const kind = random.pick(role === "base" ? BASES : KINDS);
  const free = COLORS.filter(({ rgb }) => others.every(({ color }) => color !== rgb));
  const color = random.pick(free);
  const most = role === "base" ? Number.POSITIVE_INFINITY : hand.openingM - AIR_M;
  const width = Math.min(within(random, kind.width), most);
  return {
    name: `${kind.noun}_${color.name}`,
    words: `${color.name} ${kind.noun}`,
    shape: kind.shape,
    sizeM: roundedSize(kind, width, within(random, kind.height), random),
    massKg: rounded(within(random, kind.mass)),
    friction: rounded(within(random, [0.8, 1.2])),
    color: color.rgb,
  };
}

function roundedSize(kind: Kind, width: number, height: number, random: Random): Vec3 {
  // Draw for every kind, so that later draws do not depend on the kind.
  const broad = within(random, kind.broad ?? [1, 1]);
  const z = rounded(height);
  if (kind.shape === "hexagon") return [rounded((2 * width) / Math.sqrt(3)), rounded(width), z];
  if (kind.shape === "box") return [rounded(width), rounded(width * broad), z];
  return [rounded(width), rounded(width), z];
}

export function within(random: Random, [low, high]: Range): number {
  return low + (high - low) * random.uniform();
}
