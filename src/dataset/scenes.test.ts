import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { normaliseSceneId, resolveScene } from "./scenes.js";

const root = mkdtempSync(join(tmpdir(), "robot-eval-scenes-"));
afterAll(() => rmSync(root, { recursive: true }));

function put(...parts: readonly string[]): string {
  const path = join(root, ...parts);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "");
  return path;
}

describe("normaliseSceneId", () => {
  it.each([
    ["mp3d/a/a.glb", "mp3d/a/a.glb"],
    ["data/scene_datasets/mp3d/a/a.glb", "mp3d/a/a.glb"],
    ["./data/scene_datasets/mp3d/a/a.glb", "mp3d/a/a.glb"],
    ["./mp3d/a/a.glb", "mp3d/a/a.glb"],
    ["my/data/scene_datasets/a.glb", "my/data/scene_datasets/a.glb"],
    [".hidden/a.glb", ".hidden/a.glb"],
    ["FloorPlan_Val1_1", "FloorPlan_Val1_1"],
  ])("normaliseSceneId maps %s to the scene %s", (given, scene) => {
    expect(normaliseSceneId(given)).toBe(scene);
  });
});

describe("resolveScene", () => {
  it("resolveScene searches scene_datasets, then the root, then the id as a path", async () => {
    const bare = put("gibson", "b.glb");
    expect(await resolveScene("gibson/b.glb", root)).toBe(bare);
    const usual = put("scene_datasets", "gibson", "b.glb");
    expect(await resolveScene("gibson/b.glb", root)).toBe(usual);
    expect(await resolveScene("data/scene_datasets/gibson/b.glb", root)).toBe(usual);
    expect(await resolveScene(bare, join(root, "elsewhere"))).toBe(bare);
  });

  it("resolveScene returns undefined if no such file exists", async () => {
    expect(await resolveScene("gibson/none.glb", root)).toBeUndefined();
    expect(await resolveScene("data/scene_datasets/", root)).toBeUndefined();
  });
});
