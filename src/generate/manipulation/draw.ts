import type { EpisodeInit } from "../../core/episode/base.js";
import type { Random } from "../../core/math/random.js";
import type { RobotDescriptor } from "../../robots/descriptor.js";
import { drawOpening } from "./opening.js";
import { drawPickPlace } from "./pick-place.js";
import type { Reach } from "./reach.js";
import type { Refusal } from "./refusal.js";
import { drawStacking } from "./stacking.js";

/** Draws one episode, or says why what was drawn makes none. The same random numbers give the same. */
export type DrawEpisode = (
  robot: RobotDescriptor,
  random: Random,
  id: string,
  reach: Reach,
) => EpisodeInit | Refusal;

export const MANIPULATION_MAKERS = {
  pick_place: drawPickPlace,
  stacking: drawStacking,
  opening: drawOpening,
} as const satisfies Readonly<Record<string, DrawEpisode>>;

export type ManipulationTaskType = keyof typeof MANIPULATION_MAKERS;

export function drawEpisode(
  task: ManipulationTaskType,
  robot: RobotDescriptor,
  random: Random,
  id: string,
  reach: Reach,
): EpisodeInit | Refusal {
  return MANIPULATION_MAKERS[task](robot, random, id, reach);
}
