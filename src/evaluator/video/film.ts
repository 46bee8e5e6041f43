import type { EpisodeLine } from "../../core/interfaces/result.js";

/** Of which episodes films are made: `output.video` of a benchmark. */
export type VideoChoice = "none" | "failures" | "all";

/** A film as a file's content. */
export interface Film {
  readonly extension: "mp4" | "webp";
  readonly bytes: Uint8Array;
  /** What the run's reader should know of it; said once a run. */
  readonly note?: string;
}

/** Why there is none. */
export interface NoFilm {
  readonly problem: string;
  /** Holds for all episodes of the task: said once a run. */
  readonly isLasting: boolean;
}

/** What came of filming an episode. It has no say in the episode's result. */
export type Filming = Film | NoFilm;

/**
 * How long making a film may take, in milliseconds. A film is given up between two frames; one that gives no
 * sign for twice as long has stopped its thread, which is stopped then.
 */
export const FILM_LIMIT_MS = 120_000;

/** Whether an episode is filmed. One that never began has nothing to show. */
export function isFilmed(
  { outcome, initial_state_hash }: Pick<EpisodeLine, "outcome" | "initial_state_hash">,
  choice: VideoChoice,
): boolean {
  if (choice === "none" || initial_state_hash === null) return false;
  return choice === "all" || outcome === "failure";
}
