import { wrapAngle } from "../../core/math/rotation.js";

/** Directions in words. Angles are degrees to the left of the heading, in (-180, 180]. */

const DEGREES = 180 / Math.PI;

export type Side = "left" | "right";

/** Degrees to the left from one heading to another. */
export function degreesBetween(fromRad: number, toRad: number): number {
  return wrapAngle(toRad - fromRad) * DEGREES;
}

export function sideOf(degrees: number): Side {
  return degrees > 0 ? "left" : "right";
}

interface Sector {
  /** Maximum angle to either side, in degrees. */
  readonly upTo: number;
  /** The direction that the words mean. */
  readonly centre: number;
  readonly turns: (side: Side) => readonly string[];
  readonly places: (side: Side) => readonly string[];
}

const SECTORS: readonly Sector[] = [
  {
    upTo: 20,
    centre: 0,
    turns: () => ["walk straight ahead", "go straight ahead"],
    places: () => ["straight ahead", "straight ahead of you"],
  },
  {
    upTo: 60,
    centre: 40,
    turns: (side) => [`turn slightly ${side}`, `bear ${side}`],
    places: (side) => [`ahead of you on the ${side}`, `ahead on your ${side}`],
  },
  {
    upTo: 120,
    centre: 90,
    turns: (side) => [`turn ${side}`],
    places: (side) => [`on your ${side}`, `to your ${side}`],
  },
  {
    upTo: 160,
    centre: 140,
    turns: (side) => [`turn sharply ${side}`],
    places: (side) => [`behind you on the ${side}`],
  },
  {
    upTo: 180,
    centre: 180,
    turns: () => ["turn around"],
    places: () => ["behind you"],
  },
];

/** The words for a direction, and the direction that a reader assumes. */
export interface Direction {
  readonly meansDegrees: number;
  /** Phrases for turning to the direction: "turn left". */
  readonly turns: readonly string[];
  /** Phrases for the position of an object in that direction: "on your left". */
  readonly places: readonly string[];
}

export function directionOf(degrees: number): Direction {
  const side = sideOf(degrees);
  const off = Math.abs(degrees);
  const sector = SECTORS.find(({ upTo }) => off <= upTo) ?? (SECTORS.at(-1) as Sector);
  return {
    meansDegrees: side === "left" ? sector.centre : -sector.centre,
    turns: sector.turns(side),
    places: sector.places(side),
  };
}

/** The angle between two directions, 0 to 180. */
export function apart(aDegrees: number, bDegrees: number): number {
  return Math.abs(degreesBetween(bDegrees / DEGREES, aDegrees / DEGREES));
}
