import type { BaseEpisode } from "../../../core/episode/base.js";
import type { PerturbedWorld } from "../../../core/interfaces/simulator.js";
import type { WorldAxis } from "./axes/names.js";
import { readTaskConfig } from "./task-config.js";
import type { ManipulationWorld } from "./world.js";

const OF_OBJECTS: readonly WorldAxis[] = ["object_pose", "object_size", "distractors"];

/** The parts of an episode that axes changed; undefined if there are none. */
export function perturbedPart(
  { objects, joints }: ManipulationWorld,
  episode: BaseEpisode,
): PerturbedWorld | undefined {
  const { axes = {} } = readTaskConfig(episode).randomization ?? {};
  const changes = (axis: WorldAxis) => Object.hasOwn(axes, axis);
  const isMoved = OF_OBJECTS.some(changes);
  const startsElsewhere = changes("robot_start") && episode.startState.joint_positions;
  if (!isMoved && !startsElsewhere) return undefined;
  return {
    ...(startsElsewhere ? { start_state: { joint_positions: [...joints] } } : {}),
    ...(isMoved
      ? {
          scene_objects: objects.map(
            ({ sizeM: size, massKg: mass, centreInBody, isMoved: _, ...object }) => ({
              ...object,
              size,
              mass,
            }),
          ),
        }
      : {}),
  };
}
