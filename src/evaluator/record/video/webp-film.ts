import type { Pixels } from "./canvas.js";
import type { FilmEncoder } from "./film.js";
import { webpOf } from "./raster.js";

/** Each frame replaces the previous one completely. */
const DO_NOT_BLEND = 0b10;
const HAS_ANIMATION = 0b10;
const LONGEST_MS = 2 ** 24 - 1;

/**
 * Writes an animated WebP from still images. Each frame is compressed as it arrives, so that memory holds one
 * frame and the file. libvips takes all frames as one tall image, which takes five times as long and hundreds
 * of megabytes.
 *
 * The container follows Google's "WebP Container Specification": RIFF chunks VP8X, ANIM, and one ANMF per frame.
 */
export class WebpFilm implements FilmEncoder {
  readonly extension = "webp";
  readonly #frames: Uint8Array[] = [];
  #size = { width: 1, height: 1 };
  #last: Promise<void> = Promise.resolve();

  /** Compresses in libvips's threads while the next frame is drawn. An error is thrown by the next call. */
  async add(frame: Pixels, ms: number): Promise<void> {
    await this.#last;
    this.#last = this.#compress(frame, ms);
    this.#last.catch(() => {});
  }

  async #compress(frame: Pixels, ms: number): Promise<void> {
    this.#size = { width: frame.width, height: frame.height };
    this.#frames.push(animationFrame(frame, ms, await webpOf(frame)));
  }

  async finish(): Promise<Uint8Array> {
    await this.#last;
    const { width, height } = this.#size;
    const canvas = Buffer.alloc(10);
    canvas.writeUInt8(HAS_ANIMATION, 0);
    canvas.writeUIntLE(width - 1, 4, 3);
    canvas.writeUIntLE(height - 1, 7, 3);
    // White background; a loop count of 0 means endless.
    const animation = Buffer.from([255, 255, 255, 255, 0, 0]);
    return chunk("RIFF", [
      Buffer.from("WEBP"),
      chunk("VP8X", [canvas]),
      chunk("ANIM", [animation]),
      ...this.#frames,
    ]);
  }

  async abandon(): Promise<void> {
    this.#frames.length = 0;
  }
}

function animationFrame({ width, height }: Pixels, ms: number, still: Uint8Array): Uint8Array {
  const header = Buffer.alloc(16);
  header.writeUIntLE(width - 1, 6, 3);
  header.writeUIntLE(height - 1, 9, 3);
  header.writeUIntLE(Math.min(LONGEST_MS, Math.round(ms)), 12, 3);
  header.writeUInt8(DO_NOT_BLEND, 15);
  // An opaque lossy image is a 12-byte file header and one chunk, which is copied.
  return chunk("ANMF", [header, still.subarray(12)]);
}

/** The size field of a chunk excludes its padding byte. */
function chunk(name: string, parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const head = Buffer.alloc(8, name);
  head.writeUInt32LE(length, 4);
  return Buffer.concat([head, ...parts, Buffer.alloc(length % 2)]);
}
