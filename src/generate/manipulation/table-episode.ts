import type { EpisodeInit } from "../../core/episode/base.js";
import type { Random } from "../../core/math/random.js";
import type { RobotDescriptor } from "../../robots/descriptor.js";
import { objectDict, type Placed, standThing } from "./layout.js";
import type { Stage } from "./stage.js";
import { drawThing, type HandLimits, type Thing } from "./things.js";

/** One to three things that nobody asks for, where there is room. */
export function drawDistractors(
  random: Random,
  stage: Stage,
  hand: HandLimits,
  placed: readonly Placed[],
): Placed[] {
  const count = 1 + random.below(3);
  const all = [...placed];
  for (let i = 0; i < count; i++) {
    const thing: Thing = drawThing(
      random,
      "distractor",
      hand,
      all.map((one) => one.thing),
    );
    const found = standThing(random, stage, thing, all);
    if (found) all.push(found);
  }
  return all.slice(placed.length);
}

/** What episodes on a table have in common. */
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
