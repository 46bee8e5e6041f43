import type { QuatWxyz } from "../../core/math/rotation.js";
import type { Vec3 } from "../../core/math/vec3.js";
import type { Pose } from "./axes.js";

/** Builds Foxglove messages; `FOXGLOVE_SCHEMAS` defines their fields. */

/** The fixed frame. */
const WORLD_FRAME = "world";

type Color = readonly [r: number, g: number, b: number, a: number];

/** @param ns nanoseconds since the episode began */
function timeOf(ns: bigint): { readonly sec: number; readonly nsec: number } {
  return { sec: Number(ns / 1_000_000_000n), nsec: Number(ns % 1_000_000_000n) };
}

const point = ([x, y, z]: Vec3) => ({ x, y, z });
const quaternion = ([w, x, y, z]: QuatWxyz) => ({ x, y, z, w });
const poseOf = ({ position, rotation }: Pose) => {
  return { position: point(position), orientation: quaternion(rotation) };
};
const colorOf = ([r, g, b, a]: Color) => ({ r, g, b, a });
const at = (position: Vec3): Pose => ({ position, rotation: [1, 0, 0, 0] });

/** The poses of frames in the world. */
export function frameTransforms(ns: bigint, frames: ReadonlyMap<string, Pose>): object {
  const transforms = Array.from(frames, ([child, { position, rotation }]) => ({
    timestamp: timeOf(ns),
    parent_frame_id: WORLD_FRAME,
    child_frame_id: child,
    translation: point(position),
    rotation: quaternion(rotation),
  }));
  return { transforms };
}

export function poseInFrame(ns: bigint, pose: Pose): object {
  return { timestamp: timeOf(ns), frame_id: WORLD_FRAME, pose: poseOf(pose) };
}

const LEVELS = { info: 2, warning: 3, error: 4 } as const;

export type LogLevel = keyof typeof LEVELS;

export function log(ns: bigint, level: LogLevel, name: string, message: string): object {
  return { timestamp: timeOf(ns), level: LEVELS[level], message, name, file: "", line: 0 };
}

/** A scene entity shown from the beginning of the episode. */
interface Drawing {
  readonly id: string;
  /** The frame that the entity moves with. */
  readonly frame?: string;
  readonly arrows?: readonly object[];
  readonly cubes?: readonly object[];
  readonly spheres?: readonly object[];
  readonly lines?: readonly object[];
  readonly texts?: readonly object[];
}

export function sceneUpdate(drawings: readonly Drawing[]): object {
  const entities = drawings.map(({ id, frame = WORLD_FRAME, ...shapes }) => ({
    timestamp: timeOf(0n),
    frame_id: frame,
    id,
    // 0 means forever.
    lifetime: timeOf(0n),
    frame_locked: true,
    metadata: [],
    ...{ arrows: [], cubes: [], spheres: [], cylinders: [] },
    ...{ lines: [], triangles: [], texts: [], models: [] },
    ...shapes,
  }));
  return { deletions: [], entities };
}

/** An arrow along the frame's x axis; length in metres. */
export function arrow(length: number, color: Color): object {
  const head = length / 3;
  return {
    pose: poseOf(at([0, 0, 0])),
    shaft_length: length - head,
    shaft_diameter: length / 8,
    head_length: head,
    head_diameter: length / 4,
    color: colorOf(color),
  };
}

export function cube(side: number, color: Color): object {
  return { pose: poseOf(at([0, 0, 0])), size: point([side, side, side]), color: colorOf(color) };
}

export function sphere(centre: Vec3, radius: number, color: Color): object {
  const size = point([2 * radius, 2 * radius, 2 * radius]);
  return { pose: poseOf(at(centre)), size, color: colorOf(color) };
}

/** A line through points; thickness in metres. */
export function line(points: readonly Vec3[], thickness: number, color: Color): object {
  return {
    type: 0,
    pose: poseOf(at([0, 0, 0])),
    thickness,
    scale_invariant: false,
    points: points.map(point),
    color: colorOf(color),
    colors: [],
    indices: [],
  };
}

/** Text that always faces the viewer, with its size in pixels. */
export function label(text: string, position: Vec3, color: Color): object {
  return {
    pose: poseOf(at(position)),
    billboard: true,
    font_size: 14,
    scale_invariant: true,
    color: colorOf(color),
    text,
  };
}
