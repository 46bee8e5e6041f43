export const CAMERA_KINDS = ["rgb", "depth", "semantic"] as const;
export type CameraKind = (typeof CAMERA_KINDS)[number];

/** The sensors of the navmesh simulator. Cameras may also have other names, with a `type`. */
export const SENSOR_NAMES: readonly string[] = [
  ...CAMERA_KINDS,
  "instruction",
  "objectgoal",
  "imagegoal",
  "gps",
  "compass",
  "heading",
];
