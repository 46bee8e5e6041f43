import { BaseEpisode } from "../../src/core/episode/base.js";

/** The navigation episode of chapter 13.2 of the design. */
export const VLN_001 = new BaseEpisode({
  episodeId: "vln_001",
  taskType: "vln",
  sceneId: "scene_001",
  startState: { position: [1.5, 0.0, 2.3], rotation: [0.0, 0.0, 0.0, 1.0] },
  instruction: { text: "Walk to the kitchen" },
  goals: { position: [3.0, 1.0, 2.3], radius: 0.2 },
});

/** The manipulation episode of chapter 13.2 of the design. */
export const MANIP_001 = new BaseEpisode({
  episodeId: "manip_001",
  taskType: "pick_place",
  sceneId: "table_setup_001",
  startState: { base_pose: [0.0, 0.0, 0.0], joint_positions: new Array<number>(7).fill(0) },
  instruction: { text: "Pick up the red cup" },
  goals: {
    target_object: { name: "cup_red" },
    target_location: { position: [0.7, 0.2, 0.8] },
    success_criteria: { type: "grasp_and_lift", lift_height: 0.1 },
  },
  taskConfig: { robot_config: { robot_type: "stretch", dof: 7 } },
});
