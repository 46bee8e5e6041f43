import { createHash } from "node:crypto";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/cli.js";
import type { FrozenDescription } from "./description.js";
import { readFrame } from "./frames.js";
import { writeFrozenWorld } from "./world.fixture.js";
import { readFrozenDescription } from "./world-files.js";

const CAMERAS: FrozenDescription["cameras"] = {
  ...{ names: ["front"], width: 3, height: 2, origin: "top_left", mirrored: false },
  ...{ geom_groups: [], site_groups: [] },
};
const PIXELS = Uint8Array.from({ length: 18 }, (_, i) => 14 * i);

function image(width: number, height: number): Promise<Buffer> {
  const raw = { width, height, channels: 3 } as const;
  return sharp(PIXELS.subarray(0, 3 * width * height), { raw })
    .png()
    .toBuffer();
}

/** Writes a world with a file among its frames, and returns how to read it. */
function write(content: Uint8Array) {
  const world = writeFrozenWorld();
  const file = "0123456789abcdef.png";
  const path = join(dirname(world), "frames", file);
  mkdirSync(dirname(path));
  writeFileSync(path, content);
  const sha256 = createHash("sha256").update(content).digest("hex");
  const frame = { episode_id: "0", step: 4, camera: "front", mocap_pos: [], mocap_quat: [] };
  return { path, read: () => readFrame(world, { ...frame, file, sha256 }, CAMERAS) };
}

describe("a frame of a frozen world", () => {
  it("a frame of a frozen world has the pixels of its PNG file", async () => {
    expect(await write(await image(3, 2)).read()).toEqual(PIXELS);
  });

  it("a frame of a frozen world is rejected if its file is missing", async () => {
    const { path, read } = write(await image(3, 2));
    rmSync(path);
    await expect(read()).rejects.toMatchObject({ code: "missing_file" });
  });

  it("a frame of a frozen world is rejected if its file was changed", async () => {
    const { path, read } = write(await image(3, 2));
    writeFileSync(path, await image(2, 3));
    await expect(read()).rejects.toMatchObject({ code: "changed_file" });
  });

  it("a frame of a frozen world is rejected if its file is a link out of the folder", async () => {
    const { path, read } = write(await image(3, 2));
    const elsewhere = join(temporaryFolder(), "elsewhere.png");
    writeFileSync(elsewhere, await image(3, 2));
    rmSync(path);
    symlinkSync(elsewhere, path);
    await expect(read()).rejects.toMatchObject({ code: "outside_folder" });
  });

  it("a frame of a frozen world is rejected if it is cut off, no image, or of another size", async () => {
    const whole = await image(3, 2);
    const place = /the frame of front at step 4 of episode 0/;
    await expect(write(whole.subarray(0, 60)).read()).rejects.toThrow(place);
    await expect(write(whole.subarray(0, 60)).read()).rejects.toMatchObject({ code: "bad_frame" });
    await expect(write(Buffer.from("no image")).read()).rejects.toThrow(/cannot be read/);
    await expect(write(await image(2, 3)).read()).rejects.toThrow(
      /is a png of 2 x 3, not a png of 3 x 2/,
    );
  });

  it("a frame of a frozen world is rejected if its description names a path", async () => {
    const frame = {
      ...{ episode_id: "0", step: 0, camera: "front", mocap_pos: [], mocap_quat: [] },
      ...{ file: "../../secret.png", sha256: "0".repeat(64) },
    };
    const path = writeFrozenWorld({ describe: (same) => ({ ...same, frames: [frame] }) });
    await expect(readFrozenDescription(path)).rejects.toThrow(/frames\.0\.file: not a plain file/);
  });
});
