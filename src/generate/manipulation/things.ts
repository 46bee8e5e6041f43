import type { Random } from "../../core/math/random.js";
import type { Vec3 } from "../../core/math/vec3.js";
import type { ObjectShape } from "../../simulator/manipulation/world.js";
import { rounded } from "../ground.js";
import { COLORS, type NamedColor } from "./colors.js";

/** An object before it has a place. */
export interface Thing {
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

/** What a robot's hand can take: metres. */
export interface HandLimits {
  /** Between the open fingers. */
  readonly openingM: number;
}

type Range = readonly [low: number, high: number];

interface Kind {
  readonly shape: ObjectShape;
  readonly noun: string;
  /** Metres: across, at its narrower side, and height. Mass in kg. */
  readonly width: Range;
  readonly height: Range;
  readonly mass: Range;
  /** The broader side, as a multiple of the narrower. */
  readonly broad?: Range;
}

/** At least 6 cm tall: a level hand cannot reach lower. */
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

/** Broad and low enough for another to stand on: only these have flat tops. */
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

/** Fingers need some air at both sides of what they take: metres together. */
const AIR_M = 0.016;

export type Role = "target" | "base" | "distractor";

/** A thing of a colour that none of the others has, so that words can tell them apart. */
export function drawThing(
  random: Random,
  role: Role,
  hand: HandLimits,
  others: readonly Thing[],
): Thing {
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
  // Drawn for every kind, so that what follows does not depend on the kind.
  const broad = within(random, kind.broad ?? [1, 1]);
  const z = rounded(height);
  if (kind.shape === "hexagon") return [rounded((2 * width) / Math.sqrt(3)), rounded(width), z];
  if (kind.shape === "box") return [rounded(width), rounded(width * broad), z];
  return [rounded(width), rounded(width), z];
}

export function within(random: Random, [low, high]: Range): number {
  return low + (high - low) * random.uniform();
}
