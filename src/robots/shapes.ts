import type { Vec3 } from "../core/math/vec3.js";
import { type MjcfAttributes, type MjcfElement, mjcf } from "../core/mjcf/element.js";

type Rgb = readonly [r: number, g: number, b: number];

/**
 * Geoms have two kinds by MuJoCo convention: group 2 is visual only, and group 3 has mass and contacts but is not
 * rendered. Sizes are half sizes.
 */
export function seen(type: string, rgb: Rgb, attributes: MjcfAttributes): MjcfElement {
  return mjcf("geom", {
    type,
    group: 2,
    contype: 0,
    conaffinity: 0,
    mass: 0,
    rgba: [...rgb, 1],
    ...attributes,
  });
}

export function solid(type: string, massKg: number, attributes: MjcfAttributes): MjcfElement {
  return mjcf("geom", { type, group: 3, mass: massKg, ...attributes });
}

/**
 * A finger pad. Its contact priority is lower than that of objects, so that the object determines the
 * friction. Condim 4 adds torsional friction about the contact normal.
 */
export function pad(name: string, attributes: MjcfAttributes): MjcfElement {
  return solid("box", 0.004, {
    name,
    condim: 4,
    friction: [1.2, 0.02, 0.0001],
    solref: [0.01, 1],
    solimp: [0.95, 0.99, 0.001],
    ...attributes,
  });
}

/** A camera at `from` that looks at `to`, its image upright. */
export function cameraLooking(name: string, from: Vec3, to: Vec3, fovyDeg: number): MjcfElement {
  const ahead = unit([to[0] - from[0], to[1] - from[1], to[2] - from[2]]);
  const right = unit([ahead[1], -ahead[0], 0]);
  const up: Vec3 = [
    right[1] * ahead[2] - right[2] * ahead[1],
    right[2] * ahead[0] - right[0] * ahead[2],
    right[0] * ahead[1] - right[1] * ahead[0],
  ];
  return mjcf("camera", { name, pos: from, xyaxes: [...right, ...up], fovy: fovyDeg });
}

function unit(v: Vec3): Vec3 {
  const length = Math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  return [v[0] / length, v[1] / length, v[2] / length];
}
