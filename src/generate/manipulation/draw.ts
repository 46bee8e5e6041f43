import type { EpisodeInit } from "../../core/episode/base.js";
import type { Random } from "../../core/math/random.js";
import type { RobotDescriptor } from "../../robots/descriptor.js";
import { drawOpening } from "./opening.js";
import { drawPickPlace } from "./pick-place.js";
import type { Reach } from "./robot-reach.js";
import { drawStacking } from "./stacking.js";

/** Why a draw gives no valid episode: a geometric reason. */
interface Refusal {
  readonly refused: string;
}

/** Draws one episode, or returns why the draw is invalid. Deterministic in the random numbers. */
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
