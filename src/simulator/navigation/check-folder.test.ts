import { symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { floorDocument, glb, temporaryFolder } from "../scenes/scene-files.fixture.js";
import { checkFolder } from "./check-folder.js";

const write = temporaryFolder();

describe("checkFolder", () => {
  it("checkFolder reports every scene below a folder, also after one that fails", async () => {
    const file = await write("plain/a.glb", await glb(floorDocument(4)));
    const root = dirname(file);
    await write("plain/b.glb", "broken");
    await write("plain/deep/c.obj", "v 0 0 0\nv 0 0 4\nv 4 0 0\nf 1 2 3\n");
    await write("plain/deep/c.semantic.glb", "ignored");
    await write("plain/things/cup.glb", await glb(floorDocument(4)));
    await write("plain/things/cup.object_config.json", "{}");
    await write("plain/notes.txt", "");
    symlinkSync(root, join(root, "deep", "cycle"));
    const seen: string[] = [];
    const { scenes, skipped } = await checkFolder(root, {}, (scene) => seen.push(scene));
    expect(seen).toEqual(["a.glb", "b.glb", "deep/c.obj"]);
    expect(skipped).toEqual(["things/cup.glb"]);
    expect(scenes).toMatchObject([
      { scene: "a.glb", loads: true, triangles: 2, textures: 0, navmesh: "built", islands: 1 },
      { scene: "b.glb", loads: false, code: "bad_gltf", where: join(root, "b.glb") },
      { scene: "deep/c.obj", loads: true, triangles: 1, floors: 1, memory_bytes: 48 },
    ]);
  });

  it("checkFolder lists the scenes of a data set once, by its configurations", async () => {
    const config = await write(
      "sets/good/x.scene_dataset_config.json",
      JSON.stringify({ stages: { paths: { ".glb": ["val/*/*.basis.glb"] } } }),
    );
    await write("sets/bad/y.scene_dataset_config.json", "{");
    for (const name of ["val/1/a.basis.glb", "val/1/a.glb", "val/2/b.basis.glb", "other/c.glb"]) {
      await write(`sets/good/${name}`, await glb(floorDocument(4)));
    }
    const { scenes } = await checkFolder(dirname(dirname(config)));
    expect(scenes.map(({ scene, loads }) => [scene, loads])).toEqual([
      ["bad/y.scene_dataset_config.json", false],
      ["good/val/1/a.basis.glb", true],
      ["good/val/2/b.basis.glb", true],
    ]);
  });

  it.each(["lost", "empty"])(
    "checkFolder rejects the folder %s, which has no scenes",
    async (name) => {
      const root = dirname(dirname(await write("empty/notes.txt", "")));
      await expect(checkFolder(join(root, name))).rejects.toMatchObject({
        code: "no_scenes",
        exitCode: 2,
        where: join(root, name),
      });
    },
  );
});
