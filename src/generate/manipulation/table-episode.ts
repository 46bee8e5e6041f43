import type { EpisodeInit } from "../../core/episode/base.js";
import type { Random } from "../../core/math/random.js";
import type { RobotDescriptor } from "../../robots/descriptor.js";
import { objectDict, type Placed, placeObject } from "./layout.js";
import { drawObject } from "./object-specs.js";
import type { Reach } from "./robot-reach.js";
import type { Stage } from "./stage.js";

/** Draws one to three distractors where they fit. */
export function drawDistractors(
  random: Random,
  stage: Stage,
  hand: Pick<Reach, "openingM">,
  placed: readonly Placed[],
): Placed[] {
  const count = 1 + random.below(3);
  const all = [...placed];
  for (let i = 0; i < count; i++) {
    const specs = all.map(({ spec }) => spec);
    const found = placeObject(random, stage, drawObject(random, "distractor", hand, specs), all);
    if (found) all.push(found);
  }
  return all.slice(placed.length);
}

/** Fields that all table episodes share. */
export function tableEpisode(
  id: string,
  taskType: string,
  robot: RobotDescriptor,
  stage: Stage,
  objects: readonly Placed[],
): Omit<EpisodeInit, "goals" | "instruction"> {
  return {
    episodeId: id,
    taskType,
    sceneId: "tabletop",
    startState: { base_pose: stage.basePose, joint_positions: [...stage.joints] },
    taskConfig: {
      robot_config: { robot_type: robot.robotType },
      table: stage.table,
      scene_objects: objects.map(objectDict),
    },
  };
}
