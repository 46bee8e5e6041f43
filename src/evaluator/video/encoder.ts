import type { Pixels } from "./canvas.js";
import type { Film } from "./film.js";

/** Takes frames of one size, whose width and height are even, one after the other. */
export interface FilmEncoder {
  readonly extension: Film["extension"];
  /** @param ms how long it stands */
  add(frame: Pixels, ms: number): Promise<void>;
  finish(): Promise<Uint8Array>;
  /** Leaves nothing behind; after `finish` there is nothing to leave. */
  abandon(): Promise<void>;
}
