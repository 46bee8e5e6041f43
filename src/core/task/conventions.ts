import type { ActionSpace } from "./types.js";

/**
 * What a task's numbers mean, by name: `quaternion_order`, `gripper_open`, `action_kind`, ... A policy that was
 * trained on other meanings acts on nonsense without anybody noticing, so both sides can declare theirs.
 */
export type TaskConventions = Readonly<Record<string, string | number | boolean>>;

/** What holds for every task: how pictures are laid out, and the form of an action. */
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
