import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readReferenceFrame, readReferenceState } from "./reference.js";

const STATE = {
  mujoco: "3.14.0",
  width: 2,
  height: 1,
  samples: 4,
  qpos: [0.5],
  geom_groups: [0, 1],
  site_groups: [],
  cameras: [{ name: "front", ms: 12.5 }],
};

describe("folders with reference frames", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "robot-eval-reference-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const write = (name: string, content: string | Uint8Array) =>
    writeFileSync(join(folder, name), content);

  it("a folder with reference frames gives the state and the images of a camera", async () => {
    write("state.json", JSON.stringify({ ...STATE, comment: "further fields are allowed" }));
    const rgb = Uint8Array.of(1, 2, 3, 250, 251, 252);
    const image = sharp(rgb, { raw: { width: 2, height: 1, channels: 3 } });
    write("theirs-front.png", await image.png().toBuffer());
    write("segmentation-front.i32", new Uint8Array(Int32Array.of(-1, 7).buffer));
    write("depth-front.f32", new Uint8Array(Float32Array.of(50, 0.25).buffer));
    const state = await readReferenceState(folder);
    expect(state).toEqual(STATE);
    expect(await readReferenceFrame(folder, "front", state)).toEqual({
      rgb,
      geoms: Int32Array.of(-1, 7),
      depth: Float32Array.of(50, 0.25),
    });
    await expect(readReferenceFrame(folder, "front", { width: 2, height: 2 })).rejects.toThrow(
      /the images of front are not 2 x 2/,
    );
  });

  it.each([
    ["is missing", undefined],
    ["is not JSON", "{"],
    ["has a group that MuJoCo does not have", JSON.stringify({ ...STATE, geom_groups: [6] })],
    ["names a camera with a path", JSON.stringify({ ...STATE, cameras: [{ name: "../x" }] })],
  ])("an error names the file of a reference frame when the state %s", async (_, text) => {
    if (text !== undefined) write("state.json", text);
    await expect(readReferenceState(folder)).rejects.toMatchObject({
      code: "bad_reference",
      where: join(folder, "state.json"),
    });
  });
});
