import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { fromMatterport } from "../../core/math/vec3.js";
import { NavMesh } from "../navmesh/navmesh.js";
import { HABITAT_NAVMESH } from "../navmesh/settings.js";
import { boundsOf, solidGeometry } from "./geometry.js";
import { writeGlb } from "./gltf/export-glb.js";
import { transformInto } from "./gltf/transform.js";
import { loadScene } from "./load.js";
import { isScan, toHabitat, Y_UP, Z_UP } from "./orientation.js";
import { floorDocument, glb, temporaryFolder } from "./scene-files.fixture.js";

const write = temporaryFolder();

/** A floor in a file with z up: x to the right, y ahead; 3 m high and 5 m ahead. */
async function zUpFloor(): Promise<Uint8Array> {
  const document = floorDocument();
  const position = document
    .getRoot()
    .listMeshes()[0]
    ?.listPrimitives()[0]
    ?.getAttribute("POSITION");
  for (let i = 0; i < 4; i++) {
    const [x = 0, y = 0, z = 0] = position?.getElement(i, []) ?? [];
    position?.setElement(i, [x, 5 - z, y + 3]);
  }
  return glb(document);
}

/** Bounds of the floor in Habitat's axes: 3 m up, its centre 5 m ahead. */
const FLAT = { min: [-2, 3, -7], max: [2, 3, -3] };
const AS_IN_FILE = { min: [-2, 3, 3], max: [2, 7, 3] };

async function place(name: string, sceneId = name) {
  const model = await loadScene(sceneId, await write(name, await zUpFloor()));
  return { bounds: boundsOf(model.parts), warnings: model.warnings, up: model.up, model };
}

describe("the up axis of a scene", () => {
  it.each([
    "mp3d/17DRP5sb8fy/17DRP5sb8fy.glb",
    "hm3d/val/00800-TEEsavR23oF/TEEsavR23oF.basis.glb",
    "hm3d_v0.2/val/00800-TEEsavR23oF/TEEsavR23oF.basis.glb",
    "gibson/Adrian.glb",
    "habitat-test-scenes/skokloster-castle.glb",
  ])("the up axis of %s is z, as in Habitat", async (name) => {
    const { bounds, up } = await place(name);
    expect([bounds, up]).toEqual([FLAT, [0, 0, 1]]);
  });

  it.each(["house.glb", "mp3d-like.glb", "mymp3d/house.glb"])(
    "the up axis of %s is y, as in glTF",
    async (name) => {
      expect((await place(name)).bounds).toEqual(AS_IN_FILE);
    },
  );

  it("the up axis depends on the scene id if the file is elsewhere", async () => {
    expect((await place("scans/a.glb", "mp3d/a/a.glb")).bounds).toEqual(FLAT);
  });

  it("a stage configuration next to the scene determines the up axis", async () => {
    await write("staged/a.stage_config.json", '{"up": [0, 0, 2], "front": [0, 1, 0]}');
    expect((await place("staged/a.glb")).bounds).toEqual(FLAT);
    await write("mp3d/b/b.stage_config.json", '{"up": [0, 1, 0], "front": [0, 0, -1]}');
    const { bounds, model } = await place("mp3d/b/b.glb");
    expect(bounds).toEqual(AS_IN_FILE);
    expect(model.files.map((file) => file.split("/").pop())).toEqual([
      "b.glb",
      "b.stage_config.json",
    ]);
  });

  it("the configuration of the data set determines the up axis if the scene has no own one", async () => {
    const config = { stages: { default_attributes: { up: [0, 0, 1], front: [0, 1, 0] } } };
    await write("set/x.scene_dataset_config.json", JSON.stringify(config));
    expect((await place("set/val/house/a.glb")).bounds).toEqual(FLAT);
  });

  it("an invalid axis in a stage configuration is rejected", async () => {
    await write("broken/a.stage_config.json", '{"up": "z"}');
    await expect(place("broken/a.glb")).rejects.toMatchObject({
      code: "bad_stage_config",
      message: '`up` is not a valid axis: "z"',
    });
    await write("broken/a.stage_config.json", "{");
    await expect(place("broken/a.glb")).rejects.toMatchObject({ code: "bad_stage_config" });
  });

  it("the up axis of files written by this program is y in any folder", async () => {
    const { model } = await place("house.glb");
    const file = await write("gibson/own.glb", await writeGlb(model));
    expect(boundsOf((await loadScene("gibson/own.glb", file)).parts)).toEqual(AS_IN_FILE);
  });
});

describe("a .navmesh file next to the scene", () => {
  async function withNavMesh(name: string) {
    const { model } = await place("mp3d/a/a.glb");
    const navMesh = await NavMesh.build(solidGeometry(model), HABITAT_NAVMESH, "floor");
    await write(name.replace(/glb$/, "navmesh"), navMesh.save());
    navMesh.dispose();
    return place(name);
  }

  it("a .navmesh overrides a rule for the up axis that it contradicts, with a warning", async () => {
    const { bounds, warnings } = await withNavMesh("anywhere/a.glb");
    expect(bounds).toEqual(FLAT);
    expect(warnings).toEqual([
      "the .navmesh next to the scene lies outside the scene with y up, but inside with z up: using z up",
    ]);
  });

  it("a .navmesh that agrees with the rule for the up axis changes nothing", async () => {
    const { bounds, warnings } = await withNavMesh("mp3d/c/c.glb");
    expect([bounds, warnings]).toEqual([FLAT, []]);
  });

  it("a .navmesh that contradicts a configuration only gives a warning", async () => {
    await write("sure/a.stage_config.json", '{"up": [0, 1, 0], "front": [0, 0, -1]}');
    const { bounds, warnings } = await withNavMesh("sure/a.glb");
    expect(bounds).toEqual(AS_IN_FILE);
    expect(warnings[0]).toContain("but inside with z up: check ");
  });

  it("a .navmesh of another scene gives a warning", async () => {
    const file = await write("other/a.glb", await glb(floorDocument()));
    const { model } = await place("mp3d/a/a.glb");
    const navMesh = await NavMesh.build(solidGeometry(model), HABITAT_NAVMESH, "floor");
    await writeFile(join(dirname(file), "a.navmesh"), navMesh.save());
    navMesh.dispose();
    expect((await loadScene("a", file)).warnings[0]).toContain(
      "check that it belongs to this scene",
    );
  });

  it("an unreadable .navmesh does not prevent reading the scene", async () => {
    await write("junk/a.navmesh", "junk");
    expect((await place("junk/a.glb")).warnings).toEqual([]);
  });
});

describe("the rotation into Habitat's axes", () => {
  it("toHabitat rotates z-up scenes as fromMatterport rotates positions", () => {
    const out = new Float32Array(3);
    transformInto(out, 0, Float32Array.of(1, 2, 3), toHabitat(Z_UP));
    expect([...out]).toEqual([...fromMatterport(1, 2, 3)]);
    expect(toHabitat(Y_UP)).toBeUndefined();
  });

  it("materials of scans are unlit", async () => {
    expect(isScan("x", "data/mp3d/a/a.glb")).toBe(true);
    expect(isScan("x", "data/mp3d/a/a.obj")).toBe(false);
    expect(isScan("apartment/3", "x.glb")).toBe(false);
    expect((await place("mp3d/a/a.glb")).model.parts[0]?.material.unlit).toBe(true);
    expect((await place("house.glb")).model.parts[0]?.material.unlit).toBeUndefined();
  });
});
