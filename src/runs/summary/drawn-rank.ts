import { hash53 } from "../../core/math/hash.js";

/** An episode's place in the random order of a run that may stop early: episodes run by ascending rank. */
export function drawnRank(seed: number, episodeKey: string): number {
  return hash53(`early stop ${seed} ${episodeKey}`);
}
