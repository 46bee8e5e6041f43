import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { afterAll, describe, expect, it } from "vitest";
import { Canvas, type Pixels } from "./canvas.js";
import { Encoders } from "./choose-encoder.js";
import type { FilmEncoder } from "./film.js";
import { canMakeMp4 } from "./mp4-film.js";

const folder = mkdtempSync(join(tmpdir(), "robot-eval-"));
const { TMPDIR } = process.env;
// Others may be filming at the same time: what is left behind here is ours.
process.env.TMPDIR = folder;
afterAll(() => {
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  rmSync(folder, { recursive: true, force: true });
});

const SIZE = { width: 64, height: 48 };
const hasFfmpeg = await canMakeMp4("ffmpeg");

/** A bar that goes to the right. */
function picture(i: number): Pixels {
  const canvas = new Canvas(SIZE.width, SIZE.height);
  canvas.line([6 * i, 0], [6 * i, SIZE.height], 6, [255, 200, 0]);
  return canvas;
}

async function filmed(encoder: FilmEncoder, frames: number): Promise<Uint8Array> {
  for (let i = 0; i < frames; i++) await encoder.add(picture(i), i === frames - 1 ? 500 : 100);
  return encoder.finish();
}

describe("without an ffmpeg", () => {
  it("films are animated WebP that libvips can read", async () => {
    const encoder = await new Encoders("/nowhere/ffmpeg").open(SIZE, 100);
    expect(encoder.extension).toBe("webp");
    const bytes = await filmed(encoder, 9);
    const { format, width, pageHeight, pages, delay, loop } = await sharp(bytes, {
      animated: true,
    }).metadata();
    expect({ format, width, pageHeight, pages, loop }).toEqual({
      ...{ format: "webp", width: 64, pageHeight: 48, pages: 9, loop: 0 },
    });
    expect(delay).toEqual([...Array(8).fill(100), 500]);
    for (const [page, x] of [
      [0, 0],
      [8, 48],
    ] as const) {
      const raw = await sharp(bytes, { page }).removeAlpha().raw().toBuffer();
      const [red = 0, , blue = 0] = raw.subarray(x * 3, x * 3 + 3);
      expect(red).toBeGreaterThan(180);
      expect(blue).toBeLessThan(100);
    }
  });
});

describe("an ffmpeg that fails", () => {
  /** A program that says that it can, and cannot. */
  function fake(behaviour: string): string {
    const program = join(folder, "ffmpeg");
    const script = `case "$*" in *-encoders*) echo " V libx264 H.264";; *) ${behaviour};; esac`;
    writeFileSync(program, `#!/bin/sh\n${script}\n`);
    chmodSync(program, 0o755);
    return program;
  }

  it.skipIf(process.platform === "win32").each([
    ["at once", "echo 'no such codec' >&2; exit 1"],
    ["after it has read everything", "cat > /dev/null; echo 'no such codec' >&2; exit 1"],
  ])(
    "an ffmpeg that fails %s is reported with its output and leaves no files",
    async (_, behaviour) => {
      const encoder = await new Encoders(fake(behaviour)).open(SIZE, 100);
      expect(encoder.extension).toBe("mp4");
      await expect(filmed(encoder, 50)).rejects.toThrow(/ffmpeg made no film: no such codec/);
      await encoder.abandon();
      expect(leftovers()).toEqual([]);
    },
  );
});

function leftovers(): string[] {
  return readdirSync(folder).filter((name) => name.startsWith("robot-eval-film-"));
}

describe("with an ffmpeg", () => {
  it.skipIf(hasFfmpeg)("NOT TESTED HERE", () => {
    process.stderr.write("\nMP4 films were NOT TESTED: there is no ffmpeg with libx264 here\n");
  });

  it.runIf(hasFfmpeg)("films are H.264 in MP4, the last frame repeated", async () => {
    const encoder = await new Encoders().open(SIZE, 100);
    const bytes = await filmed(encoder, 9);
    expect(encoder.extension).toBe("mp4");
    // The index stands before the pictures.
    const text = Buffer.from(bytes).toString("latin1");
    expect(text.indexOf("moov")).toBeGreaterThan(0);
    expect(text.indexOf("moov")).toBeLessThan(text.indexOf("mdat"));
    const file = join(folder, "film.mp4");
    writeFileSync(file, bytes);
    const decode = ["-v", "error", "-i", file, "-f", "rawvideo", "-pix_fmt", "rgb24", "pipe:1"];
    const { stdout } = await promisify(execFile)("ffmpeg", decode, { encoding: "buffer" });
    const frameBytes = SIZE.width * SIZE.height * 3;
    expect(stdout.length / frameBytes).toBe(8 + 5);
    const last = stdout.subarray(-frameBytes);
    expect(last[48 * 3]).toBeGreaterThan(150);
    expect(last[0]).toBeLessThan(80);
  });
});
