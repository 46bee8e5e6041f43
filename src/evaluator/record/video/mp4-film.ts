import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { errorMessage } from "../../../core/errors.js";
import type { Pixels } from "./canvas.js";
import type { FilmEncoder } from "./film.js";

/** Characters of ffmpeg's output that are logged. */
const OUTPUT_TAIL = 400;
/** x264 threads. Several workers film at once, and each x264 thread buffers frames. */
const THREADS = 2;

type Ffmpeg = ChildProcessByStdio<Writable, null, Readable>;

/** ffmpeg failed, or is not installed. */
export class FfmpegError extends Error {
  override readonly name = "FfmpegError";
}

/** Whether this ffmpeg runs and can write H.264. */
export async function canMakeMp4(program: string): Promise<boolean> {
  const child = spawn(program, ["-hide_banner", "-encoders"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  return new Promise((resolve) => {
    child.on("error", () => resolve(false));
    child.on("close", (code) => resolve(code === 0 && /\blibx264\b/.test(said)));
  });
}

/**
 * Writes H.264 in MP4 by piping frames to ffmpeg. The index is at the front of the file, so that browsers can
 * start playing while loading; ffmpeg needs a seekable file for that.
 */
export class Mp4Film implements FilmEncoder {
  readonly extension = "mp4";
  readonly #ended: Promise<number | null>;
  #said = "";
  #failure: Error | undefined;
  #isOver = false;

  private constructor(
    private readonly child: Ffmpeg,
    private readonly folder: string,
    private readonly frameMs: number,
  ) {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#said = (this.#said + text).slice(-OUTPUT_TAIL);
    });
    // If ffmpeg exits early, the pipe breaks; its exit code and output give the reason.
    child.stdin.on("error", () => {});
    this.#ended = new Promise((resolve) => {
      child.on("error", (error) => {
        this.#failure = error;
        resolve(null);
      });
      child.on("close", (code) => resolve(code));
    });
    void this.#ended.then(() => {
      this.#isOver = true;
    });
  }

  /** @param frameMs display time of a frame; the last frame is repeated to last longer */
  static async open(
    program: string,
    { width, height }: Pick<Pixels, "width" | "height">,
    frameMs: number,
  ): Promise<Mp4Film> {
    const folder = await mkdtemp(join(tmpdir(), "robot-eval-film-")).catch((cause: unknown) => {
      throw new FfmpegError(`ffmpeg has no temporary folder: ${errorMessage(cause)}`, { cause });
    });
    const input = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", `${width}x${height}`];
    const rate = ["-r", `1000/${frameMs}`, "-i", "pipe:0"];
    const codec = ["-c:v", "libx264", "-preset", "veryfast", "-crf", "24", "-pix_fmt", "yuv420p"];
    const output = [
      "-threads",
      String(THREADS),
      "-movflags",
      "+faststart",
      join(folder, "film.mp4"),
    ];
    const child = spawn(
      program,
      ["-hide_banner", "-loglevel", "error", ...input, ...rate, ...codec, ...output],
      { stdio: ["pipe", "ignore", "pipe"] },
    );
    return new Mp4Film(child, folder, frameMs);
  }

  async add({ data }: Pixels, ms: number): Promise<void> {
    for (let i = 0; i < Math.max(1, Math.round(ms / this.frameMs)); i++) {
      if (this.#isOver) throw this.#error();
      if (this.child.stdin.write(data)) continue;
      await Promise.race([once(this.child.stdin, "drain").catch(() => {}), this.#ended]);
    }
  }

  async finish(): Promise<Uint8Array> {
    this.child.stdin.end();
    const code = await this.#ended;
    try {
      if (code !== 0) throw this.#error();
      return await readFile(join(this.folder, "film.mp4"));
    } finally {
      await this.abandon();
    }
  }

  async abandon(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.#ended;
    await rm(this.folder, { recursive: true, force: true });
  }
  #error(): FfmpegError {
    const said = this.#said.trim() || this.#failure?.message || "it ended early";
    return new FfmpegError(`ffmpeg made no film: ${said}`, { cause: this.#failure });
  }
}
