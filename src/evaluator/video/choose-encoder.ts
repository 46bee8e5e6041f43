import type { FilmEncoder } from "./encoder.js";
import { canMakeMp4, Mp4Film } from "./mp4-film.js";
import { WebpFilm } from "./webp-film.js";

/**
 * The encoders of a thread: MP4 while there is an ffmpeg that can write it, else animated WebP. Whether there is
 * one is found out once, and one that failed is not asked again.
 */
export class Encoders {
  readonly #ffmpeg: string;
  #hasFfmpeg: Promise<boolean> | undefined;

  constructor(ffmpeg = "ffmpeg") {
    this.#ffmpeg = ffmpeg;
  }

  async open(
    size: { readonly width: number; readonly height: number },
    frameMs: number,
  ): Promise<FilmEncoder> {
    this.#hasFfmpeg ??= canMakeMp4(this.#ffmpeg);
    return (await this.#hasFfmpeg) ? Mp4Film.open(this.#ffmpeg, size, frameMs) : new WebpFilm();
  }

  giveUpFfmpeg(): void {
    this.#hasFfmpeg = Promise.resolve(false);
  }
}

/** This thread's. */
export const threadEncoders = new Encoders();
