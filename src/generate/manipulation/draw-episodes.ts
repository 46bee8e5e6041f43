import type { EpisodeInit } from "../../core/episode/base.js";
import { DataError } from "../../core/errors.js";
import { hash53 } from "../../core/math/hash.js";
import { Random } from "../../core/math/random.js";
import type { RobotDescriptor } from "../../robots/descriptor.js";
import type { Tally } from "../tally.js";
import { drawEpisode, type ManipulationTaskType } from "./draw.js";
import type { Reach } from "./reach.js";
import { isRefusal } from "./refusal.js";

/** Draws for one episode after which a robot is taken to be unfit for its task. */
const PATIENCE = 200;

export interface DrawWishes {
  readonly task: ManipulationTaskType;
  readonly robot: RobotDescriptor;
  readonly count: number;
  readonly seed: number;
  readonly reach: Reach;
  /** Counts draws, and refusals by reason. */
  readonly tally: Tally;
}

/** So many episodes, numbered. Each draw has random numbers of its own: more episodes leave the first as they are. */
export function drawEpisodes({
  task,
  robot,
  count,
  seed,
  reach,
  tally,
}: DrawWishes): EpisodeInit[] {
  const episodes: EpisodeInit[] = [];
  let misses = 0;
  for (let draw = 0; episodes.length < count; draw++) {
    const random = new Random(hash53(`${seed}/${robot.robotType}/${task}/${draw}`));
    const id = `${task}_${String(episodes.length).padStart(4, "0")}`;
    tally.draw();
    const drawn = drawEpisode(task, robot, random, id, reach);
    if (!isRefusal(drawn)) {
      episodes.push(drawn);
      misses = 0;
      continue;
    }
    tally.reject(drawn.refused);
    if (++misses < PATIENCE) continue;
    throw new DataError(
      "no_episodes",
      `no episode of ${task} was found for ${robot.robotType} in ${PATIENCE} draws: ${tally.describe()}`,
      { hint: "choose another robot or task" },
    );
  }
  return episodes;
}
