import { wrapAngle } from "../../core/math/rotation.js";
import type { Vec3 } from "../../core/math/vec3.js";

/** The position one step ahead in free space, at the same height. Heading in radians, 0 along -z. */
export function ahead(from: Vec3, headingRad: number, distanceM: number): Vec3 {
  return [
    from[0] - distanceM * Math.sin(headingRad),
    from[1],
    from[2] - distanceM * Math.cos(headingRad),
  ];
}

/** Tolerance of Habitat's collision rule, in square metres. */
const BLOCKED_EPSILON = 1e-5;

/**
 * True if a step was blocked at least in part, by Habitat's rule: the squared distance moved is less than the
 * squared distance requested. Sliding along a wall counts as blocked.
 */
export function blocked(from: Vec3, asked: Vec3, reached: Vec3): boolean {
  return squared(from, reached) + BLOCKED_EPSILON < squared(from, asked);
}

function squared(a: Vec3, b: Vec3): number {
  const dx = a[0] - b[0];
  const dy = a[1] - b[1];
  const dz = a[2] - b[2];
  return dx * dx + dy * dy + dz * dz;
}

export interface Pose {
  readonly position: Vec3;
  /** Radians, 0 along -z, counter-clockwise. */
  readonly headingRad: number;
}

/**
 * Drives a base at constant speeds for a duration. The arc is split into pieces of at most `stepM`, so that
 * the base cannot jump over thin walls. `move` returns where a piece ends on the navmesh.
 */
export function drive(
  from: Pose,
  linearMps: number,
  angularRadps: number,
  seconds: number,
  move: (from: Vec3, to: Vec3) => Vec3,
  stepM = 0.05,
): Pose & { readonly blocked: boolean } {
  const pieces = Math.max(1, Math.ceil(Math.abs(linearMps * seconds) / stepM));
  const dt = seconds / pieces;
  let { position, headingRad } = from;
  let bumped = false;
  for (let i = 0; i < pieces; i++) {
    // Halfway through the piece's turn, which is the direction of the chord.
    const chord = headingRad + (angularRadps * dt) / 2;
    const asked = ahead(position, chord, linearMps * dt);
    const reached = linearMps === 0 ? position : move(position, asked);
    bumped ||= blocked(position, asked, reached);
    position = reached;
    headingRad += angularRadps * dt;
  }
  return { position, headingRad, blocked: bumped };
}

/** A position relative to the start pose, as measured by Habitat's GPS sensor: x right, y up, -z ahead. */
export function gps(start: Pose, position: Vec3): Vec3 {
  const dx = position[0] - start.position[0];
  const dy = position[1] - start.position[1];
  const dz = position[2] - start.position[2];
  const [cos, sin] = [Math.cos(start.headingRad), Math.sin(start.headingRad)];
  return [cos * dx - sin * dz, dy, sin * dx + cos * dz];
}

/** Radians turned since the start, counter-clockwise, as measured by Habitat's compass sensor. */
export function compass(start: Pose, headingRad: number): number {
  return wrapAngle(headingRad - start.headingRad);
}
