import type { ActionSpace } from "./types.js";

/**
 * The meaning of a task's numbers, by name: `quaternion_order`, `gripper_open`, `action_kind`, ... A policy
 * trained with other conventions would fail without an error, so both sides can declare theirs.
 */
export type TaskConventions = Readonly<Record<string, string | number | boolean>>;

/** Conventions of every task: the layout of images and the form of an action. */
export function commonConventions(space: ActionSpace): TaskConventions {
  return {
    action_space: space.name,
    ...(space.shape ? { action_dim: space.size } : {}),
    image_layout: "hwc",
    image_origin: "top_left",
    color_order: "rgb",
    depth_unit: "m",
  };
}
