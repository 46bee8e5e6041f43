import type { Vec3 } from "../../../../core/math/vec3.js";
import { type RevolvedMesh, revolve } from "../revolve.js";
import { cylinderVolume, type ShapePart } from "../shape.js";
import { swept } from "./sweep.js";

/** A colour of its own, or a factor on the object's colour. */
export type Look = Pick<ShapePart, "rgb" | "shade">;

export const WHITE: Look = { rgb: [0.94, 0.93, 0.9] };
export const CREAM: Look = { rgb: [0.93, 0.88, 0.76] };
export const DARK: Look = { rgb: [0.14, 0.14, 0.15] };
export const STEEL: Look = { rgb: [0.72, 0.73, 0.75] };
export const WOOD: Look = { rgb: [0.55, 0.38, 0.22] };

const SEGMENTS = 28;

type Profile = readonly (readonly [radius: number, z: number])[];

/** What is seen of something turned about z: outside from the bottom up, closed at both ends. */
export function turned(profile: Profile, look: Look = {}): ShapePart {
  const ends = [profile[0]?.[1] ?? 0, profile.at(-1)?.[1] ?? 0] as const;
  const closed = [[0, ends[0]] as const, ...profile, [0, ends[1]] as const];
  return seenMesh(() => revolve(closed, SEGMENTS), look);
}

/**
 * A mesh that is computed when it is first read: all commands that check episodes load the catalogue, and few need the
 * meshes of its 94 models.
 */
function seenMesh(compute: () => RevolvedMesh, look: Look): ShapePart {
  let mesh: RevolvedMesh | undefined;
  return {
    type: "mesh",
    get mesh() {
      mesh ??= compute();
      return mesh;
    },
    volumeM3: 0,
    use: "see",
    ...look,
  };
}

/** An upright solid cylinder that is touched, not seen. */
export function post(radius: number, z0: number, z1: number): ShapePart {
  return {
    type: "cylinder",
    size: [radius, (z1 - z0) / 2],
    position: [0, 0, (z0 + z1) / 2],
    volumeM3: cylinderVolume(radius, z1 - z0),
    use: "touch",
  };
}

/** A box between two corners. */
export function block(
  [x0, y0, z0]: Vec3,
  [x1, y1, z1]: Vec3,
  use: ShapePart["use"],
  look: Look = {},
): ShapePart {
  const size = [(x1 - x0) / 2, (y1 - y0) / 2, (z1 - z0) / 2] as const;
  return {
    type: "box",
    size,
    position: [(x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2],
    volumeM3: use === "see" ? 0 : 8 * size[0] * size[1] * size[2],
    use,
    ...look,
  };
}

/** A wall all around: radius and height of its outer face, at its lower and upper edge. */
interface Wall {
  readonly from: readonly [radius: number, z: number];
  readonly to: readonly [radius: number, z: number];
  readonly thickM: number;
  readonly pieces?: number;
}

/** The collision shape of a wall: a ring of boxes, whose outer corners are on the circle at the upper edge. */
export function wall({ from, to, thickM, pieces = 12 }: Wall): ShapePart[] {
  const [dr, dz] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dr, dz);
  const tiltRad = Math.atan2(dr, dz);
  const flat = Math.cos(Math.PI / pieces);
  const half = to[0] * Math.sin(Math.PI / pieces);
  // The middle of a box: halfway along the outer face, then half the thickness inwards.
  const [sin, cos] = [Math.sin(tiltRad), Math.cos(tiltRad)];
  // A leaning box rises above the edge with its inner corner, and so ends earlier.
  const cut = thickM * Math.max(0, Math.tan(tiltRad));
  const radius = (flat * (from[0] + to[0])) / 2 - (thickM * cos + cut * sin) / 2;
  const z = (from[1] + to[1]) / 2 + (thickM * sin - cut * cos) / 2;
  return Array.from({ length: pieces }, (_, i): ShapePart => {
    const yawRad = (2 * Math.PI * (i + 0.5)) / pieces;
    return {
      type: "box",
      size: [thickM / 2, half, (length - cut) / 2],
      position: [radius * Math.cos(yawRad), radius * Math.sin(yawRad), z],
      yawRad,
      ...(dr === 0 ? {} : { tiltRad }),
      volumeM3: thickM * 2 * half * (length - cut),
      use: "touch",
    };
  });
}

const HANDLE_THICK_M = 0.009;

/** A handle in the direction of +x, between two heights: what is seen and what is touched. */
export function handle(
  radius: number,
  [low, high]: readonly [number, number],
  reachM: number,
  look: Look = {},
): ShapePart[] {
  const thick = HANDLE_THICK_M / 2;
  const [x, middle, half] = [radius + reachM - thick, (low + high) / 2, (high - low) / 2];
  const path = Array.from({ length: 13 }, (_, i): Vec3 => {
    const angle = Math.PI * (i / 12 - 0.5);
    // Rounder than an ellipse, so that fingers fit inside.
    const across = Math.sign(Math.cos(angle)) * Math.abs(Math.cos(angle)) ** 0.7;
    return [
      radius - 0.003 + (x - radius + 0.003) * across,
      0,
      middle + (half - thick) * Math.sin(angle),
    ];
  });
  const bar = (x0: number, x1: number, z0: number, z1: number) =>
    block([x0, -thick, z0], [x1, thick, z1], "touch");
  const [inner, outer] = [radius - 0.002, radius + reachM];
  return [
    seenMesh(() => swept(path, thick, 10), look),
    bar(inner, outer, high - HANDLE_THICK_M, high),
    bar(inner, outer, low, low + HANDLE_THICK_M),
    bar(outer - HANDLE_THICK_M, outer, low + HANDLE_THICK_M, high - HANDLE_THICK_M),
  ];
}
