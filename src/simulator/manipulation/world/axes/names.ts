/** The axes along which MuJoCo's worlds can be randomised, in the order in which they are applied. */
export const WORLD_AXES = [
  "robot_start",
  "object_size",
  "object_pose",
  "distractors",
  "table_yaw",
  "textures",
  "camera_pose",
  "lighting",
  "object_mass",
  "friction",
] as const;
export type WorldAxis = (typeof WORLD_AXES)[number];
