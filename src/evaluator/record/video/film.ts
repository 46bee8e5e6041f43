import type { EpisodeLine } from "../../../core/interfaces/result.js";
import type { Pixels } from "./canvas.js";

/** Which episodes are filmed: `output.video` of a benchmark. */
export type VideoChoice = "none" | "failures" | "all";

/** The content of a film file. */
export interface Film {
  readonly extension: "mp4" | "webp";
  readonly bytes: Uint8Array;
  /** A message for the reader of the run, reported once. */
  readonly note?: string;
}

/** Encodes frames of one size; width and height are even. */
export interface FilmEncoder {
  readonly extension: Film["extension"];
  /** @param ms display time */
  add(frame: Pixels, ms: number): Promise<void>;
  finish(): Promise<Uint8Array>;
  /** Removes temporary files. No effect after `finish`. */
  abandon(): Promise<void>;
}

/** Why an episode has no film. */
export interface NoFilm {
  readonly problem: string;
  /** True if it holds for all episodes of the task; then it is reported once. */
  readonly isLasting: boolean;
}

/** The result of filming an episode; it does not affect the episode's result. */
export type Filming = Film | NoFilm;

/**
 * Time limit for a film in milliseconds, checked between frames. After twice the time without a result, the
 * worker thread is considered blocked and is terminated.
 */
export const FILM_LIMIT_MS = 120_000;

/** Whether an episode is filmed. An episode without an initial state is not. */
export function isFilmed(
  { outcome, initial_state_hash }: Pick<EpisodeLine, "outcome" | "initial_state_hash">,
  choice: VideoChoice,
): boolean {
  if (choice === "none" || initial_state_hash === null) return false;
  return choice === "all" || outcome === "failure";
}
