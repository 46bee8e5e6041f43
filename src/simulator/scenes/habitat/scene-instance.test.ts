import { describe, expect, it } from "vitest";
import { SceneLibrary } from "../../navigation/scene-library.js";
import { HABITAT_NAVMESH } from "../../navmesh/settings.js";
import { boundsOf } from "../geometry.js";
import { loadScene } from "../load.js";
import { floorDocument, glb, temporaryFolder } from "../scene-files.fixture.js";
import { findNavMesh } from "./navmesh-file.js";

const write = temporaryFolder();

/** A data set with the layout of HSSD: a floor of 8 m and objects of 1 m. */
async function dataset(
  instance: Readonly<Record<string, unknown>>,
  folder = "hssd",
): Promise<string> {
  await write(`${folder}/stages/s1.glb`, await glb(floorDocument(8)));
  await write(
    `${folder}/stages/s1.stage_config.json`,
    '{"render_asset": "s1.glb", "up": [0, 1, 0]}',
  );
  await write(`${folder}/objects/a/aaaa.glb`, await glb(floorDocument(1)));
  await write(`${folder}/objects/decomposed/bbbb/bbbb_part_1.glb`, await glb(floorDocument(1)));
  await write(`${folder}/objects/openings/cccc.glb`, await glb(floorDocument(1)));
  const table =
    'id,name,main_category\naaaa,"A sofa, ""long""",couch\nbbbb,Grand piano,Grand Piano\n';
  await write(`${folder}/semantics/objects.csv`, table);
  return write(
    `${folder}/scenes/s1.scene_instance.json`,
    JSON.stringify({
      stage_instance: { template_name: "stages/s1" },
      translation_origin: "asset_local",
      ...instance,
    }),
  );
}

describe("a Habitat scene instance", () => {
  it("the reader of Habitat scene instances reads the stage and the placed objects of a scene instance", async () => {
    const quarter = Math.SQRT1_2;
    const file = await dataset({
      object_instances: [
        { template_name: "aaaa", translation: [3, 1, 0], non_uniform_scale: [1, 1, 2] },
        // A quarter turn about y, w first, aligns the long side with x.
        { template_name: "aaaa", rotation: [quarter, 0, quarter, 0], non_uniform_scale: [1, 1, 2] },
        { template_name: "bbbb_part_1" },
        { template_name: "cccc" },
      ],
    });
    const model = await loadScene("s1", file);
    expect(model.instances.map(({ name, category }) => [name, category])).toEqual([
      ["building", "unknown"],
      ["couch", "couch"],
      ["couch_2", "couch"],
      ["grand_piano", "grand_piano"],
      ["unknown", "unknown"],
    ]);
    expect(model.instances[1]).toMatchObject({ min: [2.5, 1, -1], max: [3.5, 1, 1] });
    const turned = model.instances[2];
    expect(turned?.min.map((v) => Number(v.toFixed(6)))).toEqual([-1, 0, -0.5]);
    expect(boundsOf(model.parts)).toEqual({ min: [-4, 0, -4], max: [4, 1, 4] });
    expect(model.parts[1]?.mesh).toBe(model.parts[2]?.mesh);
    expect(model.warnings).toEqual([]);
    expect(model.files).toHaveLength(5);
  });

  it("the reader of Habitat scene instances places objects by the centre of their bounding box by default", async () => {
    const document = floorDocument(1);
    document.getRoot().listNodes()[0]?.setTranslation([10, 0, 0]);
    const file = await dataset(
      { translation_origin: "COM", object_instances: [{ template_name: "x" }] },
      "com",
    );
    await write("com/objects/x.glb", await glb(document));
    const model = await loadScene("s1", file);
    expect(model.instances[1]).toMatchObject({ min: [-0.5, 0, -0.5], max: [0.5, 0, 0.5] });
  });

  it("the reader of Habitat scene instances warns about missing objects and names the nearest", async () => {
    const file = await dataset({
      object_instances: [
        { template_name: "lost" },
        { template_name: "lost" },
        { template_name: "bbbb_part_2" },
      ],
      articulated_object_instances: [{ template_name: "fridge" }],
    });
    expect((await loadScene("s1", file)).warnings).toEqual([
      "the object lost does not exist (2 times)",
      'the object bbbb_part_2 does not exist; did you mean "bbbb_part_1"?',
      "the articulated object fridge does not exist",
    ]);
  });

  it("the reader of Habitat scene instances does not read files outside the data set of a scene instance", async () => {
    await write("outside.glb", await glb(floorDocument()));
    const file = await dataset({ object_instances: [{ template_name: "../outside" }] });
    expect((await loadScene("s1", file)).warnings).toEqual([
      "the object ../outside does not exist",
    ]);
  });

  it("the reader of Habitat scene instances finds the navmesh of a scene instance in the folder navmeshes", async () => {
    const file = await dataset({ object_instances: [] }, "walk");
    const scene = await new SceneLibrary().scene(
      "s1",
      { locate: async () => file },
      HABITAT_NAVMESH,
    );
    expect(scene.navMesh.areaM2).toBeGreaterThan(55);
    const navMesh = await write("walk/navmeshes/s1.navmesh", scene.navMesh.save());
    scene.release();
    expect(await findNavMesh(file)).toBe(navMesh);
  });

  it.each([
    ["{", "bad_scene_instance"],
    ["{}", "bad_scene_instance"],
    ['{"stage_instance": {}}', "bad_scene_instance"],
    ['{"stage_instance": {"template_name": "lost"}}', "missing_stage"],
  ])(
    "the reader of Habitat scene instances rejects a scene instance with the content %s",
    async (text, code) => {
      const file = await write("bad/scenes/x.scene_instance.json", text);
      await expect(loadScene("x", file)).rejects.toMatchObject({ code, where: file });
    },
  );
});
