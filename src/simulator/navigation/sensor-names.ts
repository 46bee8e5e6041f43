export const CAMERA_KINDS = ["rgb", "depth", "semantic"] as const;
export type CameraKind = (typeof CAMERA_KINDS)[number];

/** What the navmesh simulator can sense; cameras may have other names besides, with a `type`. */
export const SENSOR_NAMES: readonly string[] = [
  ...CAMERA_KINDS,
  "instruction",
  "objectgoal",
  "imagegoal",
  "gps",
  "compass",
  "heading",
];
