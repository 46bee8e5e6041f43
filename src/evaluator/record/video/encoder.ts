import type { Pixels } from "./canvas.js";
import type { Film } from "./film.js";

/** Encodes frames of one size; width and height are even. */
export interface FilmEncoder {
  readonly extension: Film["extension"];
  /** @param ms display time */
  add(frame: Pixels, ms: number): Promise<void>;
  finish(): Promise<Uint8Array>;
  /** Removes temporary files. No effect after `finish`. */
  abandon(): Promise<void>;
}
