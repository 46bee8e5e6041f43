import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/support/cli.js";
import { drawnApartments, findScenes } from "./scenes.js";

async function listed(spec: string) {
  const scenes = await findScenes(spec);
  if (scenes.kind !== "listed") throw new Error(`${spec} is drawn`);
  return scenes;
}

function take(seed: number, count: number): string[] {
  const ids: string[] = [];
  for (const id of drawnApartments.ids(seed)) if (ids.push(id) === count) break;
  return ids;
}

describe("findScenes", () => {
  it("findScenes draws new apartments by the seed, without duplicates and without shipped ones", async () => {
    expect(await findScenes("apartment")).toBe(drawnApartments);
    const ids = take(999, 300);
    expect(ids).toEqual(take(999, 300));
    expect(ids).not.toEqual(take(998, 300));
    expect(new Set(ids).size).toBe(300);
    for (const id of ids) expect(Number(id.split("/")[1])).toBeGreaterThanOrEqual(10_000);
  });

  it("findScenes finds apartments by number and by range", async () => {
    const { ids } = await listed("apartment/3, apartment/100-102,apartment/3");
    expect(ids).toEqual(["apartment/3", "apartment/100", "apartment/101", "apartment/102"]);
  });

  it("findScenes accepts a scene instance of Habitat by its file", async () => {
    const file = join(temporaryFolder(), "flat.scene_instance.json");
    writeFileSync(file, "{}");
    const { ids, source } = await listed(file);
    expect(await source?.locate(ids[0] ?? "")).toBe(file);
  });

  it("findScenes finds the files in a folder and below, each once, with Habitat names", async () => {
    const root = join(temporaryFolder(), "scene_datasets");
    const scene = join(root, "hm3d", "00800-x");
    mkdirSync(scene, { recursive: true });
    for (const name of ["x.basis.glb", "x.glb", "x.semantic.glb", "x.navmesh"]) {
      writeFileSync(join(scene, name), "");
    }
    writeFileSync(join(root, "hm3d", "a.obj"), "");
    const { ids, source } = await listed(root);
    expect(ids).toEqual(["hm3d/00800-x/x.basis.glb", "hm3d/a.obj"]);
    expect(await source?.locate("hm3d/a.obj")).toBe(join(root, "hm3d", "a.obj"));
    await expect(source?.locate("hm3d/b.obj")).rejects.toMatchObject({ code: "missing_scene" });
  });

  it.each([
    ["apartment/", "bad_scenes"],
    ["apartment/9-3", "bad_scenes"],
    ["apartment/x", "bad_scenes"],
    ["apartment,apartment/3", "bad_scenes"],
    ["apartment/3,", "bad_scenes"],
    ["no/such/folder", "no_scenes"],
    ["package.json", "no_scenes"],
    ["scripts", "no_scenes"],
  ])("findScenes finds no scene in %s", async (spec, code) => {
    await expect(findScenes(spec)).rejects.toMatchObject({ code });
  });
});
