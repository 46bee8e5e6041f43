import { bearing, wrapAngle } from "../../core/math/rotation.js";
import type { Vec3 } from "../../core/math/vec3.js";
import { type Polyline, simplified } from "../polyline.js";
import { sideOf } from "./bearings.js";
import { sentence, type Wording } from "./words.js";

const DEGREES = 180 / Math.PI;
/** Deviations that count as straight, in metres. */
const TOLERANCE_M = 0.35;
const ROUND_DEGREES = 10;
const ROUND_M = 0.5;
/** Height difference from which a leg is described as stairs, in metres. */
const STAIRS_M = 0.8;

/**
 * Describes a path by turns and distances only, for scenes without rooms. Each leg starts where the words so far have
 * led, so that rounding errors do not accumulate.
 */
export function describeLegs(path: Polyline, headingRad: number, words: Wording): string {
  const [start, ...corners] = simplified(path, TOLERANCE_M);
  if (!start || corners.length === 0) return "Stop.";
  const sentences: string[] = [];
  let told: Pick<Told, "x" | "z" | "headingRad"> = { x: start[0], z: start[2], headingRad };
  let height = start[1];
  for (const [i, corner] of corners.entries()) {
    const leg = legTo(told, corner);
    const clauses = [...turning(leg.turn, words), walking(leg.metres, corner[1] - height, words)];
    if (i === corners.length - 1) clauses.push(words.pick("stop", "stop there", "wait there"));
    sentences.push(sentence(clauses));
    told = leg;
    height = corner[1];
  }
  return sentences.join(" ");
}

interface Told {
  readonly x: number;
  readonly z: number;
  readonly headingRad: number;
  /** Degrees to the left, rounded as in the text. */
  readonly turn: number;
  readonly metres: number;
}

function legTo(from: Pick<Told, "x" | "z" | "headingRad">, corner: Vec3): Told {
  const to = bearing([from.x, 0, from.z], corner);
  const turn = rounded(wrapAngle(to - from.headingRad) * DEGREES, ROUND_DEGREES);
  const headingRad = from.headingRad + turn / DEGREES;
  const away = Math.hypot(corner[0] - from.x, corner[2] - from.z);
  const metres = Math.max(ROUND_M, rounded(away, ROUND_M));
  return {
    x: from.x - Math.sin(headingRad) * metres,
    z: from.z - Math.cos(headingRad) * metres,
    headingRad,
    turn,
    metres,
  };
}

function rounded(value: number, unit: number): number {
  return Math.round(value / unit) * unit;
}

function turning(degrees: number, words: Wording): string[] {
  const off = Math.abs(degrees);
  if (off === 0) return [];
  if (off === 180) return ["turn around"];
  const side = sideOf(degrees);
  if (off === 90) return [words.pick(`turn ${side}`, `turn 90 degrees ${side}`)];
  return [words.pick(`turn ${off} degrees ${side}`, `turn ${side} by ${off} degrees`)];
}

function walking(metres: number, climb: number, words: Wording): string {
  const far = `${metres} ${metres === 1 ? "meter" : "meters"}`;
  if (Math.abs(climb) >= STAIRS_M) return `go ${climb > 0 ? "up" : "down"} the stairs for ${far}`;
  return `${words.pick("walk", "go", "move")} ${words.pick("", "forward ", "straight ")}${far}`;
}
