import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/cli.js";
import { makePipe } from "../../../test/support/hostile-run.js";
import { SceneFolder } from "../../dataset/scenes.js";
import { readMjcf } from "../manipulation/mjcf/files.js";
import { SceneLibrary } from "../navigation/scene-library.js";
import { HABITAT_NAVMESH } from "../navmesh/settings.js";
import { findNavMesh } from "./habitat/navmesh-file.js";
import { loadScene } from "./load.js";
import { checkWithin, readWithin } from "./within.js";

const TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n";

/** A folder of scenes, and next to it files that these scenes must not read. */
function makeFolders() {
  const base = temporaryFolder();
  const [root, outside] = [join(base, "scenes"), join(base, "outside")];
  for (const folder of [root, outside]) mkdirSync(folder);
  for (const [name, content] of Object.entries({
    "secret.bin": "secret",
    "secret.obj": TRIANGLE,
    "secret.mtl": "newmtl secret\n",
    "secret.png": "secret",
    "secret.xml": "<mujoco/>",
    "a.navmesh": "secret",
  })) {
    writeFileSync(join(outside, name), content);
  }
  return { root, outside };
}

const gltf = (uri: string) =>
  JSON.stringify({ asset: { version: "2.0" }, buffers: [{ byteLength: 1, uri }] });

it.each<[string, string, (outside: string) => string]>([
  ["a glTF buffer above the folder", "a.gltf", () => gltf("../outside/secret.bin")],
  ["an escaped glTF URI", "a.gltf", () => gltf("..%2Foutside%2Fsecret.bin")],
  ["an absolute glTF path", "a.gltf", (outside) => gltf(join(outside, "secret.bin"))],
  ["an OBJ's materials", "a.obj", () => `mtllib ../outside/secret.mtl\n${TRIANGLE}`],
  ["an MJCF include", "a.xml", (o) => `<mujoco><include file="${o}/secret.xml"/></mujoco>`],
  [
    "an MJCF mesh below meshdir",
    "a.xml",
    () =>
      '<mujoco><compiler meshdir="../outside"/><asset><mesh file="secret.obj"/></asset></mujoco>',
  ],
  [
    "an MJCF texture below texturedir",
    "a.xml",
    (o) =>
      `<mujoco><compiler texturedir="${o}"/><asset><texture file="secret.png"/></asset></mujoco>`,
  ],
  [
    "an MJCF asset below assetdir",
    "a.xml",
    () =>
      '<mujoco><compiler assetdir="../outside"/><asset><mesh file="secret.obj"/></asset></mujoco>',
  ],
  [
    "an MJCF model",
    "a.xml",
    () => '<mujoco><asset><model file="../outside/secret.xml"/></asset></mujoco>',
  ],
])("readWithin rejects an untrusted scene that refers to %s", async (_, name, content) => {
  const { root, outside } = makeFolders();
  const file = join(root, name);
  writeFileSync(file, content(outside));
  const read = () => (name.endsWith(".xml") ? readMjcf(file) : loadScene("a", file));
  await expect(readWithin(root, async () => void (await read()))).rejects.toMatchObject({
    code: "outside_folder",
  });
});

it("a glTF scene with a file: URI is rejected", async () => {
  const { root, outside } = makeFolders();
  const file = join(root, "a.gltf");
  writeFileSync(file, gltf(`file://${outside}/secret.bin`));
  await expect(loadScene("a", file)).rejects.toMatchObject({ code: "missing_buffer" });
});

it("a link in the scene folder is not followed outside it", async () => {
  const { root, outside } = makeFolders();
  symlinkSync(join(outside, "secret.mtl"), join(root, "own.mtl"));
  symlinkSync(join(outside, "a.navmesh"), join(root, "a.navmesh"));
  const file = join(root, "a.obj");
  writeFileSync(file, `mtllib own.mtl\n${TRIANGLE}`);
  const rejected = { code: "outside_folder" };
  await expect(readWithin(root, () => loadScene("a", file))).rejects.toMatchObject(rejected);
  await expect(readWithin(root, () => findNavMesh(file))).rejects.toMatchObject(rejected);
  // A link outside the folder is not read either, although it points back inside.
  writeFileSync(join(root, "inside.mtl"), "");
  symlinkSync(join(root, "inside.mtl"), join(outside, "back.mtl"));
  const other = join(root, "b.obj");
  writeFileSync(other, `mtllib ../outside/back.mtl\n${TRIANGLE}`);
  await expect(readWithin(root, () => loadScene("b", other))).rejects.toMatchObject(rejected);
});

it("SceneLibrary reads an untrusted scene only within its folder", async () => {
  const { root } = makeFolders();
  writeFileSync(join(root, "a.obj"), `mtllib ../outside/secret.mtl\n${TRIANGLE}`);
  const scene = new SceneLibrary().scene("a.obj", new SceneFolder(root, root), HABITAT_NAVMESH);
  await expect(scene).rejects.toMatchObject({ code: "outside_folder" });
});

it("a configuration above the scene folder is not read", async () => {
  const { root } = makeFolders();
  const file = join(root, "a.obj");
  writeFileSync(file, TRIANGLE);
  writeFileSync(join(root, "../set.scene_dataset_config.json"), "not JSON");
  await expect(loadScene("a", file)).rejects.toMatchObject({ code: "bad_stage_config" });
  expect((await readWithin(root, () => loadScene("a", file))).files).toEqual([file]);
});

it("a scene id cannot leave the scene folder, and its scene is read within its run", async () => {
  const { root, outside } = makeFolders();
  const secret = join(outside, "secret.obj");
  writeFileSync(join(root, "a.obj"), TRIANGLE);
  symlinkSync(secret, join(root, "link.obj"));
  const own = new SceneFolder(root);
  expect(own.within).toBeUndefined();
  expect(await own.locate(secret)).toBe(secret);
  const foreign = new SceneFolder(root, root);
  expect(foreign.within).toBe(root);
  expect(await foreign.locate("a.obj")).toBe(join(root, "a.obj"));
  for (const id of [secret, "../outside/secret.obj", "link.obj"]) {
    await expect(foreign.locate(id)).rejects.toMatchObject({ code: "missing_scene" });
  }
  // The user named this folder, so its links are followed; ids of the run must still stay below it.
  const named = new SceneFolder(root, outside);
  expect(named.within).toBeUndefined();
  expect(await named.locate("link.obj")).toBe(join(root, "link.obj"));
  await expect(named.locate(secret)).rejects.toMatchObject({ code: "missing_scene" });
});

// Windows has no named pipes in the file system.
it.skipIf(process.platform === "win32")(
  "a scene that is a named pipe is rejected without blocking",
  async () => {
    const { root } = makeFolders();
    makePipe(join(root, "a.obj"));
    await expect(
      readWithin(root, () => loadScene("a.obj", join(root, "a.obj"))),
    ).rejects.toMatchObject({ code: "not_plain" });
  },
);
it("readWithin accepts a linked folder and paths relative to the working directory", async () => {
  const { root } = makeFolders();
  const link = `${root}-link`;
  symlinkSync(root, link);
  const file = join(root, "a.obj");
  for (const path of [file, relative(process.cwd(), file)]) {
    await expect(readWithin(link, () => checkWithin(path))).resolves.toBeUndefined();
  }
});
