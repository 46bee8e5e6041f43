import { wrapAngle } from "../../core/math/rotation.js";
import type { Vec3 } from "../../core/math/vec3.js";
import type { Pose } from "./kinematics.js";

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
