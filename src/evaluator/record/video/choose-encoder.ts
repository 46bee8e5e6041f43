import type { FilmEncoder } from "./film.js";
import { canMakeMp4, Mp4Film } from "./mp4-film.js";
import { WebpFilm } from "./webp-film.js";

/**
 * The encoders of a thread: MP4 if ffmpeg with H.264 is installed, else animated WebP. ffmpeg is looked up once
 * and not used again after a failure.
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

/** The encoders of this thread. */
export const threadEncoders = new Encoders();
